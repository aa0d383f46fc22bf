package io.irqlab.model.host;

import static com.google.common.base.Preconditions.checkState;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.Routine;
import io.irqlab.core.irqpoll.IrqPoll;
import io.irqlab.core.irqpoll.PollFunction;
import io.irqlab.core.irqpoll.PollInstance;
import io.irqlab.core.spi.QueuePolicy;

/** A completion queue as irq_poll polls it: the policy says what each call reaps, within the weight. */
final class QueuePoll implements PollFunction {
    private final Reaper reaper;
    private final QueuePolicy policy;
    private final PollInstance instance;
    private boolean runs;
    private int reaped;

    QueuePoll(IrqPoll core, String name, Reaper reaper, QueuePolicy policy) {
        this.reaper = reaper;
        this.policy = policy;
        this.instance = new PollInstance(core, name, policy.pollWeight(), this);
    }

    boolean schedule(Cpu running) {
        return instance.schedule(running);
    }

    @Override
    public long step(Cpu cpu, int weight) {
        if (!runs) {
            runs = true;
            reaped = 0;
            return decide(cpu, weight, -1);
        }
        long durationNs = reaper.step(cpu);
        if (durationNs != Routine.DONE) {
            return durationNs;
        }
        reaped += reaper.reaped();
        if (reaped == weight) {
            // The core keeps a call that used up its weight scheduled; there is nothing to decide.
            runs = false;
            return Routine.DONE;
        }
        return decide(cpu, weight, reaper.reaped());
    }

    private long decide(Cpu cpu, int weight, int justReaped) {
        switch (policy.inPoll(cpu, justReaped)) {
            case REAP_ALL -> reaper.begin(weight - reaped);
            case REAP_BUDGET -> reaper.begin(Math.min(policy.budget(), weight - reaped));
            case RETURN -> {
                runs = false;
                instance.complete();
                return Routine.DONE;
            }
            case SLEEP, YIELD, WAKE_THREAD ->
                checkState(false, "the policy asked the poll function of %s for what a softirq cannot do", instance);
        }
        return 0;
    }

    @Override
    public int work() {
        return reaped;
    }
}
