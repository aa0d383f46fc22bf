package io.irqlab.model.workload;

/**
 * The sizes of a job's I/Os, by direction.
 *
 * @param read of its reads
 * @param write of its writes
 * @param trim of its trims
 */
public record BlockSizes(BlockSize read, BlockSize write, BlockSize trim) {

    /**
     * Returns the sizes of one direction.
     *
     * @param direction what the I/Os do
     * @return their sizes
     */
    public BlockSize of(Direction direction) {
        return switch (direction) {
            case READ -> read;
            case WRITE -> write;
            case TRIM -> trim;
        };
    }
}
