package io.irqlab.lab.scenario;

import java.io.Serial;

/**
 * Something that the user wrote is wrong. The message is one printable line: where, what is wrong, and what would be
 * right.
 */
public final class InvalidInputException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message the line, without a full stop; characters that could break the line or drive a terminal are
     *     replaced
     */
    public InvalidInputException(String message) {
        super(PrintableText.of(message));
    }
}
