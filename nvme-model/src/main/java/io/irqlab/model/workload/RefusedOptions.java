package io.irqlab.model.workload;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import io.irqlab.model.workload.FioOption.Refused;
import java.util.List;

/**
 * The options that would matter and that the model has nothing for, by reason. A name may be followed by aliases, as in
 * {@code a/b}, and by the one value that asks for nothing, as in {@code startdelay=0}.
 */
final class RefusedOptions {
    private static final ImmutableListMultimap<String, String> BY_REASON =
            ImmutableListMultimap.<String, String>builder()
                    .putAll(
                            "the model has drives and no file system; name the drives with filename",
                            "directory",
                            "filename_format",
                            "opendir",
                            "create_only=0")
                    .putAll(
                            "all jobs start together and run side by side; put what comes later into a file of its own",
                            "wait_for",
                            "startdelay=0",
                            "flow",
                            "flow_id",
                            "flow_sleep",
                            "flow_watermark")
                    .putAll("a job runs as long as its scenario says", "number_ios=0", "max_latency=0")
                    .putAll(
                            "traces are replayed by irqlab itself, not from a job file",
                            "read_iolog",
                            "read_iolog_chunked",
                            "merge_blktrace_file",
                            "merge_blktrace_scalars",
                            "merge_blktrace_iters",
                            "replay_no_stall",
                            "replay_redirect",
                            "replay_align",
                            "replay_scale",
                            "replay_time_scale",
                            "replay_skip")
                    .putAll(
                            "jobs check no data",
                            "verify=none",
                            "do_verify=0",
                            "verify_only=0",
                            "verifysort",
                            "verifysort_nr",
                            "verify_backlog=0",
                            "verify_backlog_batch",
                            "verify_offset",
                            "verify_interval",
                            "verify_pattern",
                            "verify_pattern_interval",
                            "verify_fatal=0",
                            "verify_dump=0",
                            "verify_async=0",
                            "verify_async_cpus",
                            "verify_state_load=0",
                            "verify_state_save",
                            "verify_write_sequence",
                            "verify_header_seed",
                            "experimental_verify=0")
                    .putAll(
                            "trims come from rw=trim and rw=randtrim alone",
                            "trim_percentage=0",
                            "trim_verify_zero",
                            "trim_backlog=0",
                            "trim_backlog_batch",
                            "num_range=1")
                    .putAll(
                            "offsets are uniform or sequential",
                            "random_distribution=random",
                            "percentage_random=100",
                            "zonemode=none",
                            "zonesize=0",
                            "zonerange=0",
                            "zonecapacity=0",
                            "zoneskip=0",
                            "read_beyond_zone_wp=0",
                            "max_open_zones=0",
                            "job_max_open_zones=0",
                            "ignore_zone_limits=0",
                            "zone_reset_threshold=0",
                            "zone_reset_frequency=0",
                            "write_zone_remainder=0",
                            "recover_zbd_write_error=0")
                    .putAll("sizes are multiples of 512 bytes", "bs_unaligned/blocksize_unaligned=0")
                    .putAll(
                            "a thread submits its own I/O",
                            "io_submit_mode=inline",
                            "serialize_overlap=0",
                            "force_async=0")
                    .putAll(
                            "the model has no kernel thread that submits for io_uring",
                            "sqthread_poll=0",
                            "sqthread_poll_cpu")
                    .putAll("a job polls always or never; use hipri", "hipri_percentage=100")
                    .putAll(
                            "drives of the model know no such command",
                            "cmd_type=nvme",
                            "atomic=0",
                            "sync=0",
                            "write_barrier/barrier=0",
                            "sync_file_range",
                            "writefua=0",
                            "readfua=0",
                            "write_mode=write",
                            "verify_mode=read",
                            "write_hint=none",
                            "fdp=0",
                            "fdp_pli",
                            "fdp_pli_select",
                            "dataplacement=none",
                            "plids",
                            "plid_select",
                            "dp_scheme",
                            "md_per_io_size=0",
                            "pi_act=1",
                            "pi_chk",
                            "apptag",
                            "apptag_mask",
                            "deac=0")
                    .putAll(
                            "drives serve all commands alike",
                            "cmdprio_percentage=0",
                            "cmdprio_class",
                            "cmdprio",
                            "cmdprio_bssplit")
                    .putAll("drives are used without a scheduler", "ioscheduler=none")
                    .putAll(
                            "a pause is a sleep after completed I/Os",
                            "thinktime_spin=0",
                            "thinktime_iotime=0",
                            "thinktime_blocks_type=complete",
                            "rate_ignore_thinktime=0")
                    .putAll(
                            "the depth is what iodepth says",
                            "latency_target=0",
                            "latency_window=0",
                            "latency_percentile=100",
                            "latency_run=0")
                    .putAll(
                            "jobs are ordinary tasks of equal weight",
                            "nice=0",
                            "cgroup",
                            "cgroup_weight=0",
                            "cgroup_nodelete=0")
                    .putAll(
                            "fio's profiles and loaded engines are not modelled",
                            "profile",
                            "cpuload",
                            "cpuchunks",
                            "cpumode",
                            "exit_on_io_done",
                            "hostname",
                            "port",
                            "protocol",
                            "interface",
                            "listen",
                            "pingpong")
                    .build();

    /** The table. */
    static final ImmutableList<Refused> ALL = BY_REASON.entries().stream()
            .map(entry -> refused(entry.getValue(), entry.getKey()))
            .collect(ImmutableList.toImmutableList());

    private RefusedOptions() {}

    private static Refused refused(String text, String reason) {
        int equals = text.indexOf('=');
        List<String> names = List.of((equals < 0 ? text : text.substring(0, equals)).split("/"));
        return new Refused(
                names.get(0),
                ImmutableList.copyOf(names.subList(1, names.size())),
                equals < 0 ? null : text.substring(equals + 1),
                reason);
    }
}
