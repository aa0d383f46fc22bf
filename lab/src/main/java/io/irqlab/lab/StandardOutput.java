package io.irqlab.lab;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Standard output that remembers how writing failed. Java's own print stream forgets, so that a full disk would look
 * like success.
 */
final class StandardOutput extends OutputStream {
    private final OutputStream out;
    private @Nullable IOException failure;

    StandardOutput(OutputStream out) {
        this.out = out;
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        if (failure != null) {
            return;
        }
        try {
            out.write(bytes, offset, length);
        } catch (IOException e) {
            failure = e;
            throw e;
        }
    }

    /** Returns what went wrong. */
    Optional<String> failure() {
        return Optional.ofNullable(failure).map(IOException::getMessage);
    }

    /** Tells whether writing failed since whoever read it has enough, as {@code head} does. */
    boolean readerHasGone() {
        return failure().map(message -> message.contains("Broken pipe")).orElse(false);
    }
}
