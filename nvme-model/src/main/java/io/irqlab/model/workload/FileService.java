package io.irqlab.model.workload;

import com.google.common.collect.ImmutableSet;

/**
 * The value of {@code file_service_type}.
 *
 * @param service how the next file is picked
 * @param every after how many I/Os
 */
record FileService(FileSet.Service service, int every) {
    static final ImmutableSet<String> NOT_MODELLED = ImmutableSet.of("zipf", "pareto", "normal", "gauss");
    static final FileService DEFAULT = new FileService(FileSet.Service.ROUNDROBIN, 1);
}
