package io.irqlab.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import org.junit.jupiter.api.Test;

final class StandardOutputTest {

    @Test
    void whatIsWrittenArrives() throws IOException {
        var bytes = new ByteArrayOutputStream();
        var stdout = new StandardOutput(bytes);

        stdout.write(new byte[] {1, 2, 3}, 1, 2);
        stdout.write(4);

        assertThat(bytes.toByteArray()).containsExactly(2, 3, 4);
        assertThat(stdout.failure()).isEmpty();
    }

    @Test
    void aFullDiskIsRemembered() {
        var stdout = new StandardOutput(failing("No space left on device"));

        assertThatIOException().isThrownBy(() -> stdout.write(1));

        assertThat(stdout.failure()).contains("No space left on device");
        assertThat(stdout.readerHasGone()).isFalse();
    }

    @Test
    void aReaderThatHasGoneIsNoFault() {
        var stdout = new StandardOutput(failing("Broken pipe"));

        assertThatIOException().isThrownBy(() -> stdout.write(1));

        assertThat(stdout.readerHasGone()).isTrue();
    }

    private static OutputStream failing(String message) {
        return new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException(message);
            }
        };
    }
}
