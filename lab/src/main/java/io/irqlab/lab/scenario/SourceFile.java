package io.irqlab.lab.scenario;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** A text file that is read once: one that comes with irqlab, or one of the user's. */
sealed interface SourceFile {
    /** The most that is read of any file. */
    int MAX_BYTES = 1 << 20;

    /** Returns what messages call it. */
    String displayName();

    /** Returns the file's name without directories and suffix. */
    String stem();

    /** Returns the file that a reference in this one means. */
    SourceFile beside(String reference);

    /** Tells whether there is such a file. */
    boolean exists();

    /** Opens the bytes. */
    InputStream open() throws IOException;

    /**
     * Returns the whole text.
     *
     * @throws InvalidInputException if it cannot be read, is larger than {@link #MAX_BYTES}, or is not UTF-8
     */
    default String text() {
        byte[] bytes;
        try (InputStream in = open()) {
            bytes = in.readNBytes(MAX_BYTES + 1);
        } catch (IOException e) {
            throw new InvalidInputException(displayName() + ": cannot be read: " + reason(e));
        }
        if (bytes.length > MAX_BYTES) {
            throw new InvalidInputException(
                    "%s: is larger than %d bytes, the most that is read".formatted(displayName(), MAX_BYTES));
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new InvalidInputException(displayName() + ": is not a text file in UTF-8");
        }
    }

    private static String reason(IOException e) {
        if (e instanceof NoSuchFileException) {
            return "no such file";
        }
        if (e instanceof AccessDeniedException) {
            return "permission denied";
        }
        String message = e.getMessage();
        return message == null ? e.getClass().getSimpleName() : message;
    }

    private static String stemOf(String fileName) {
        int dot = fileName.lastIndexOf('.');
        return dot <= 0 ? fileName : fileName.substring(0, dot);
    }

    /**
     * A file that comes with irqlab.
     *
     * @param resource its place below this module's resources, such as {@code scenarios/four-gen5-ssd.yaml}
     */
    record BuiltIn(String resource) implements SourceFile {
        private static final String ROOT = "/io/irqlab/lab/";

        @Override
        public String displayName() {
            return "built-in " + resource;
        }

        @Override
        public String stem() {
            return stemOf(resource.substring(resource.lastIndexOf('/') + 1));
        }

        @Override
        public SourceFile beside(String reference) {
            return new BuiltIn(resource.substring(0, resource.lastIndexOf('/') + 1) + reference);
        }

        @Override
        public boolean exists() {
            return BuiltIn.class.getResource(ROOT + resource) != null;
        }

        @Override
        public InputStream open() throws IOException {
            InputStream in = BuiltIn.class.getResourceAsStream(ROOT + resource);
            if (in == null) {
                throw new NoSuchFileException(resource);
            }
            return in;
        }
    }

    /**
     * A file of the user's.
     *
     * @param path as the user wrote it
     */
    record User(Path path) implements SourceFile {

        /** Returns the file of a path that the user wrote. */
        static User of(String path) {
            try {
                return new User(Path.of(path));
            } catch (InvalidPathException e) {
                throw new InvalidInputException(PrintableText.quote(path) + ": is no path: " + e.getReason());
            }
        }

        @Override
        public String displayName() {
            return path.toString();
        }

        @Override
        public String stem() {
            Path name = path.getFileName();
            return name == null ? path.toString() : stemOf(name.toString());
        }

        @Override
        public SourceFile beside(String reference) {
            return new User(path.resolveSibling(of(reference).path()));
        }

        @Override
        public boolean exists() {
            return Files.exists(path);
        }

        @Override
        public InputStream open() throws IOException {
            if (Files.isDirectory(path)) {
                throw new IOException("it is a directory; expected a file");
            }
            return Files.newInputStream(path);
        }
    }
}
