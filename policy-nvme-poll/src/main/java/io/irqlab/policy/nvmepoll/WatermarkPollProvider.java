package io.irqlab.policy.nvmepoll;

import io.irqlab.core.spi.Parameter;
import io.irqlab.core.spi.Policy;
import io.irqlab.core.spi.PolicyContext;
import io.irqlab.core.spi.PolicyLayer;
import io.irqlab.core.spi.PolicyProvider;
import io.irqlab.core.spi.PolicySettings;
import java.util.ArrayList;
import java.util.List;

/**
 * Provides {@code nvme-watermark-poll}: polling in the queue's irq thread while the submission backlog is between two
 * watermarks (NVMe watermark polling, 21 Jul 2026). Parameters have the names and rules of its module parameters.
 */
public final class WatermarkPollProvider implements PolicyProvider {
    // The source checks that values are not zero, and bounds them by the type (unsigned int) alone. The upper ends here
    // are
    // what can matter: a backlog is below 65536 entries, and a second of sleep or a billion loops is never meant.
    static final Parameter START_PENDING = new Parameter(
            "adaptive_poll_start_pending",
            "",
            1,
            65_535,
            10,
            true,
            "High watermark: submission queue entries not yet fetched at which a queue starts to poll; at least "
                    + "adaptive_poll_stop_pending.");
    static final Parameter STOP_PENDING = new Parameter(
            "adaptive_poll_stop_pending",
            "",
            1,
            65_535,
            3,
            true,
            "Low watermark: a poll that leaves fewer entries not fetched ends the episode.");
    static final Parameter MAX_LOOPS = new Parameter(
            "adaptive_poll_max_loops", "", 1, 1_000_000_000, 100, true, "The most sleeps of one episode.");
    static final Parameter SLEEP_MIN_US = new Parameter(
            "adaptive_poll_sleep_min_us",
            "us",
            1,
            1_000_000,
            20,
            true,
            "The least sleep between two polls; at most adaptive_poll_sleep_max_us.");
    static final Parameter SLEEP_MAX_US = new Parameter(
            "adaptive_poll_sleep_max_us", "us", 1, 1_000_000, 30, true, "The greatest sleep between two polls.");

    /** Called by the service loader. */
    public WatermarkPollProvider() {}

    @Override
    public String name() {
        return "nvme-watermark-poll";
    }

    @Override
    public PolicyLayer layer() {
        return PolicyLayer.DRIVER;
    }

    @Override
    public String summary() {
        return "Polls a queue from its irq thread, vector masked, while its submission backlog is high "
                + "(use_adaptive_polling, July 2026).";
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(START_PENDING, STOP_PENDING, MAX_LOOPS, SLEEP_MIN_US, SLEEP_MAX_US);
    }

    @Override
    public List<String> check(PolicySettings settings) {
        var faults = new ArrayList<String>();
        if (settings.get(START_PENDING) < settings.get(STOP_PENDING)) {
            faults.add("adaptive_poll_start_pending=%d is below adaptive_poll_stop_pending=%d; expected at least that"
                    .formatted(settings.get(START_PENDING), settings.get(STOP_PENDING)));
        }
        if (settings.get(SLEEP_MIN_US) > settings.get(SLEEP_MAX_US)) {
            faults.add("adaptive_poll_sleep_min_us=%d is above adaptive_poll_sleep_max_us=%d; expected at most that"
                    .formatted(settings.get(SLEEP_MIN_US), settings.get(SLEEP_MAX_US)));
        }
        return faults;
    }

    @Override
    public Policy create(PolicyContext context) {
        return new WatermarkPoll(context.settings());
    }
}
