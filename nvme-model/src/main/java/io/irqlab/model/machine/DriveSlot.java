package io.irqlab.model.machine;

/**
 * A drive in a machine.
 *
 * @param name the controller's name, such as {@code nvme0}; its namespace is {@code nvme0n1}
 * @param profile what kind of drive it is
 * @param rootComplex the name of the root complex below which it sits
 */
public record DriveSlot(String name, DriveProfile profile, String rootComplex) {}
