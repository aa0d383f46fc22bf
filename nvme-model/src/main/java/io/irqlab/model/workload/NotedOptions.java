package io.irqlab.model.workload;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import io.irqlab.model.workload.FioOption.Noted;
import java.util.List;

/**
 * The options that cannot matter to the model, by reason. A name may be followed by its aliases, as in {@code mem/iomem}.
 */
final class NotedOptions {
    private static final ImmutableListMultimap<String, String> BY_REASON =
            ImmutableListMultimap.<String, String>builder()
                    .putAll(
                            "reports are irqlab's own",
                            "group_reporting",
                            "new_group",
                            "unified_rw_reporting",
                            "stats",
                            "per_job_logs",
                            "description",
                            "unit_base",
                            "bwavgtime",
                            "iopsavgtime",
                            "disk_util",
                            "block_error_percentiles",
                            "lat_percentiles",
                            "clat_percentiles",
                            "slat_percentiles",
                            "percentile_list",
                            "significant_figures",
                            "disable_lat",
                            "disable_clat",
                            "disable_slat",
                            "disable_bw_measurement/disable_bw",
                            "write_bw_log",
                            "write_lat_log",
                            "write_iops_log",
                            "write_hist_log",
                            "write_iolog",
                            "log_entries",
                            "log_avg_msec",
                            "log_hist_msec",
                            "log_hist_coarseness",
                            "log_max_value/log_window_value",
                            "log_offset",
                            "log_prio",
                            "log_issue_time",
                            "log_compression",
                            "log_compression_cpus",
                            "log_store_compressed",
                            "log_alternate_epoch",
                            "log_alternate_epoch_clock_id",
                            "log_unix_epoch")
                    .putAll(
                            "time is virtual, and reading the clock costs nothing",
                            "gtod_reduce",
                            "gtod_cpu",
                            "clocksource",
                            "clat_clock",
                            "job_start_clock_id")
                    .putAll(
                            "a run lasts as long as its scenario says",
                            "time_based",
                            "loops",
                            "exitall",
                            "exit_what",
                            "exitall_on_error",
                            "steadystate/ss",
                            "steadystate_duration/ss_dur",
                            "steadystate_ramp_time/ss_ramp",
                            "steadystate_check_interval/ss_interval",
                            "rate_min/ratemin",
                            "rate_iops_min",
                            "rate_cycle/ratecycle")
                    .putAll(
                            "the model has no page cache, no file system and no files to create",
                            "invalidate",
                            "fadvise_hint",
                            "pre_read",
                            "fallocate",
                            "unlink",
                            "unlink_each_loop",
                            "create_serialize",
                            "create_fsync",
                            "create_on_open",
                            "allow_file_create",
                            "allow_mounted_write",
                            "overwrite",
                            "end_fsync",
                            "fsync_on_close",
                            "file_append",
                            "fill_device/fill_fs",
                            "lockfile",
                            "openfiles",
                            "unique_filename",
                            "filesize",
                            "uncached")
                    .putAll("the drives are those of filename", "nrfiles")
                    .putAll(
                            "a drive of the model takes the same time for any offset",
                            "norandommap",
                            "softrandommap",
                            "random_generator",
                            "offset",
                            "offset_increment",
                            "offset_align",
                            "blockalign/ba",
                            "bs_is_seq_rand",
                            "rw_sequencer")
                    .putAll("random numbers follow from irqlab's seed", "randrepeat", "allrandrepeat", "randseed")
                    .putAll(
                            "the content of the data does not matter",
                            "zero_buffers",
                            "refill_buffers",
                            "scramble_buffers",
                            "buffer_pattern",
                            "buffer_compress_percentage",
                            "buffer_compress_chunk",
                            "dedupe_percentage",
                            "dedupe_mode",
                            "dedupe_working_set_percentage",
                            "dedupe_global")
                    .putAll(
                            "the memory of the host is not modelled",
                            "mem/iomem",
                            "mem_align/iomem_align",
                            "hugepage-size",
                            "lockmem",
                            "numa_cpu_nodes",
                            "numa_mem_policy")
                    .putAll(
                            "each engine has one cost profile",
                            "fixedbufs",
                            "registerfiles",
                            "nonvectored",
                            "userspace_reap",
                            "nowait",
                            "thread")
                    .putAll("no scheduler orders I/O by priority", "prio", "prioclass")
                    .putAll("nothing in the model fails", "continue_on_error", "ignore_error", "error_dump")
                    .putAll("irqlab runs no commands and is no other user", "exec_prerun", "exec_postrun", "uid", "gid")
                    .build();

    /** The table. */
    static final ImmutableList<Noted> ALL = BY_REASON.entries().stream()
            .map(entry -> noted(List.of(entry.getValue().split("/")), entry.getKey()))
            .collect(ImmutableList.toImmutableList());

    private NotedOptions() {}

    private static Noted noted(List<String> names, String reason) {
        return new Noted(names.get(0), ImmutableList.copyOf(names.subList(1, names.size())), reason);
    }
}
