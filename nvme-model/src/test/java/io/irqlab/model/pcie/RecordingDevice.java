package io.irqlab.model.pcie;

import io.irqlab.core.engine.EventQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/** A device that notes what the root complex does with each of its writes, and when. */
final class RecordingDevice implements UpstreamWriter {
    /** The life of a write in the root complex. */
    record Service(int write, long startNs, long visibleNs, long endNs, boolean withMsi) {}

    final List<Integer> admitted = new ArrayList<>();
    final List<Long> admittedNs = new ArrayList<>();
    final List<Service> served = new ArrayList<>();
    private final EventQueue queue;
    private final IntPredicate sendsMsi;
    private Runnable afterService = () -> {};
    private int servingWrite = -1;
    private long servingSinceNs;
    private long servingVisibleNs;

    RecordingDevice(EventQueue queue, IntPredicate sendsMsi) {
        this.queue = queue;
        this.sendsMsi = sendsMsi;
    }

    /** Runs something in each {@code onServed}, as a controller does that fetches its next command. */
    void afterEachService(Runnable action) {
        afterService = action;
    }

    List<Integer> servedWrites() {
        return served.stream().map(Service::write).toList();
    }

    List<Long> ends() {
        return served.stream().map(Service::endNs).toList();
    }

    @Override
    public void onAdmitted(int write) {
        admitted.add(write);
        admittedNs.add(queue.nowNs());
    }

    @Override
    public boolean onServing(int write, long visibleNs) {
        if (servingWrite != -1) {
            throw new IllegalStateException("write " + write + " begins before " + servingWrite + " has ended");
        }
        servingWrite = write;
        servingSinceNs = queue.nowNs();
        servingVisibleNs = visibleNs;
        return sendsMsi.test(write);
    }

    @Override
    public void onServed(int write, boolean withMsi) {
        if (servingWrite != write) {
            throw new IllegalStateException("write " + write + " ends, but " + servingWrite + " is in service");
        }
        servingWrite = -1;
        served.add(new Service(write, servingSinceNs, servingVisibleNs, queue.nowNs(), withMsi));
        afterService.run();
    }
}
