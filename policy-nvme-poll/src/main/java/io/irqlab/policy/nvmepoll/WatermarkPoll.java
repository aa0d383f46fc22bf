package io.irqlab.policy.nvmepoll;

import io.irqlab.core.spi.CompletionSource;
import io.irqlab.core.spi.DriverPolicy;
import io.irqlab.core.spi.PolicyCpu;
import io.irqlab.core.spi.PolicySettings;
import io.irqlab.core.spi.QueuePolicy;
import java.util.LinkedHashMap;
import java.util.Map;

/** Watermark polling on all queues of a machine. */
final class WatermarkPoll implements DriverPolicy {
    private static final long NS_PER_US = 1_000;

    private int startPending;
    private int stopPending;
    private long maxLoops;
    private long sleepMinNs;
    private long sleepMaxNs;
    private long episodes;
    private long polls;

    WatermarkPoll(PolicySettings settings) {
        set(settings);
    }

    /** The watermarks hold at once; an episode that is under way keeps the loops and the sleep with which it began. */
    @Override
    public void settingsChanged(PolicySettings settings, PolicyCpu cpu) {
        set(settings);
    }

    private void set(PolicySettings settings) {
        startPending = (int) settings.get(WatermarkPollProvider.START_PENDING);
        stopPending = (int) settings.get(WatermarkPollProvider.STOP_PENDING);
        maxLoops = settings.get(WatermarkPollProvider.MAX_LOOPS);
        sleepMinNs = settings.get(WatermarkPollProvider.SLEEP_MIN_US) * NS_PER_US;
        sleepMaxNs = settings.get(WatermarkPollProvider.SLEEP_MAX_US) * NS_PER_US;
    }

    @Override
    public QueuePolicy forQueue(CompletionSource source) {
        return new Queue(source);
    }

    @Override
    public Map<String, Long> counters() {
        var counters = new LinkedHashMap<String, Long>();
        counters.put("episodes", episodes);
        counters.put("polls", polls);
        return counters;
    }

    /**
     * One queue. The hard handler drains it; if the backlog has reached the high watermark and the device has more than one
     * vector, it disables the line and wakes the thread, which drains, leaves below the low watermark, and otherwise sleeps
     * and looks again, up to the limit of loops. There is no drain after the last sleep: the line's pending event, replayed
     * when it is enabled, covers it.
     */
    private final class Queue implements QueuePolicy {
        private final CompletionSource source;
        private long loops;
        private boolean looked;
        private long episodeLoops;
        private long episodeSleepMinNs;
        private long episodeSleepMaxNs;

        Queue(CompletionSource source) {
            this.source = source;
        }

        @Override
        public Next inHardirq(PolicyCpu cpu, int reaped) {
            if (reaped < 0) {
                return Next.REAP_ALL;
            }
            if (source.vectors() == 1 || source.backlog() < startPending) {
                return Next.RETURN;
            }
            source.line().disable(cpu);
            episodes++;
            return Next.WAKE_THREAD;
        }

        @Override
        public Next inThread(PolicyCpu cpu, int reaped) {
            if (reaped < 0) {
                loops = 0;
                looked = false;
                episodeLoops = maxLoops;
                episodeSleepMinNs = sleepMinNs;
                episodeSleepMaxNs = sleepMaxNs;
            }
            if (loops == episodeLoops) {
                source.line().enable(cpu);
                return Next.RETURN;
            }
            if (!looked) {
                looked = true;
                polls++;
                if (source.pending()) {
                    return Next.REAP_ALL;
                }
            }
            looked = false;
            if (source.backlog() < stopPending) {
                source.line().enable(cpu);
                return Next.RETURN;
            }
            loops++;
            return Next.SLEEP;
        }

        @Override
        public long sleepMinNs() {
            return episodeSleepMinNs;
        }

        @Override
        public long sleepMaxNs() {
            return episodeSleepMaxNs;
        }
    }
}
