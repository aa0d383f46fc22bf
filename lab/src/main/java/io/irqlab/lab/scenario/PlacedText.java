package io.irqlab.lab.scenario;

/**
 * A text of the user's with the place where it was written, for messages about it.
 *
 * @param text the text
 * @param place such as {@code my.yaml:7: compare} or {@code --policy}
 */
public record PlacedText(String text, String place) {}
