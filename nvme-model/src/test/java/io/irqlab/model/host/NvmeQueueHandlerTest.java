package io.irqlab.model.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.irqlab.core.cpu.CpuCosts;
import io.irqlab.core.cpu.VirtualizationCosts;
import io.irqlab.core.spi.CompletionSource;
import io.irqlab.core.spi.QueuePolicy.Next;
import io.irqlab.model.host.FakeSubmitter.Completion;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The hard handler and the thread of a queue, stock and as a policy has them. */
final class NvmeQueueHandlerTest {
    private static final long ENTRY_NS = 50_000;
    private static final long EXIT_NS = 300;
    private static final long REAP_NS = 100;
    private static final long COMPLETE_NS = 500;
    private static final long MMIO_WRITE_NS = 200;

    /** So long an entry that everything submitted at once is complete when the handler looks. */
    private static final CpuCosts SLOW_ENTRY =
            new CpuCosts(ENTRY_NS, EXIT_NS, 0, 0, 0, 0, 0, 0, 0, 0, 0, VirtualizationCosts.BARE_METAL);

    private final HostRig rig = new HostRig();
    private final ScriptedPolicy policy = new ScriptedPolicy().clock(rig.queue::nowNs);
    private FakeSubmitter submitter;
    private long beforeNs;

    private void stock() {
        rig.driverCosts = new DriverCosts(REAP_NS, COMPLETE_NS, MMIO_WRITE_NS, 800);
        rig.build();
        submitter = new FakeSubmitter(rig);
        beforeNs = rig.cpu(0).times().hardirqNs();
    }

    private void scripted() {
        rig.policy = policy;
        stock();
    }

    private long hardirqNs() {
        return rig.cpu(0).times().hardirqNs() - beforeNs;
    }

    // ---- the stock handler

    @Test
    void oneHandlerReapsEverythingAndWritesOneHeadDoorbell() {
        rig.cpuCosts = SLOW_ENTRY;
        stock();
        List<BlockRequest> requests = submitter.submit(0, 20);
        rig.runFor(1_000_000);

        assertThat(submitter.completed()).isEqualTo(requests);
        long handlerNs = 20 * REAP_NS + MMIO_WRITE_NS + 20 * COMPLETE_NS;
        // The other 19 messages merged in the request register: one more interrupt, which finds nothing.
        assertThat(hardirqNs()).isEqualTo(2 * (ENTRY_NS + EXIT_NS) + handlerNs);
        assertThat(rig.queue(0).descriptor().handled()).isEqualTo(2);
        assertThat(rig.queue(0).descriptor().unhandled()).isEqualTo(1);
    }

    @Test
    void aBatchIsCompletedAfterTheHeadDoorbellAllAtOnce() {
        rig.cpuCosts = SLOW_ENTRY;
        stock();
        submitter.submit(0, 3);
        rig.runFor(1_000_000);

        assertThat(submitter.completions.stream().map(Completion::atNs).distinct())
                .hasSize(1);
    }

    @Test
    void completionsThatComeWhileTheHandlerReadsAreReapedByTheSameHandler() {
        rig.driverCosts = new DriverCosts(1_000, 0, 0, 0);
        rig.build();
        submitter = new FakeSubmitter(rig);
        submitter.submit(0, 40); // 290 ns of link apart: while one is read, three more come
        rig.runFor(1_000_000);

        assertThat(submitter.completions).hasSize(40);
        assertThat(submitter.completions.stream().map(Completion::atNs).distinct())
                .as("batches")
                .hasSize(1);
    }

    @Test
    void anInterruptWithoutCompletionIsNotHandled() {
        stock();
        rig.driver().deliver(0);
        rig.runFor(1_000_000);

        assertThat(rig.queue(0).descriptor().handled()).isEqualTo(1);
        assertThat(rig.queue(0).descriptor().unhandled()).isEqualTo(1);
        assertThat(hardirqNs()).as("no doorbell is written").isZero();
    }

    @Test
    void completionsAreToldOnTheCpuOfTheInterrupt() {
        rig.cpuCount = 4;
        rig.queues = 2;
        stock();
        submitter.submit(0, 1);
        submitter.submit(1, 1);
        rig.runFor(1_000_000);

        assertThat(submitter.completions.stream().map(Completion::cpu)).containsExactly(0, 2);
    }

    @Test
    void ringsGoAroundManyTimes() {
        rig.depth = 3;
        stock();
        for (int round = 0; round < 100; round++) {
            submitter.submit(0, 2);
            rig.runFor(100_000);
        }

        assertThat(submitter.completions).hasSize(200);
        assertThat(rig.queue(0).pending()).isFalse();
        assertThat(rig.queue(0).backlog()).isZero();
    }

    // ---- a policy's handler

    @Test
    void aPolicyIsAskedAtEntryAndAfterEachThingDone() {
        rig.cpuCosts = SLOW_ENTRY;
        scripted();
        submitter.submit(0, 5);
        rig.runFor(1_000_000);

        assertThat(policy.reapedIn("hardirq")).startsWith(-1, 5).hasSize(4).endsWith(-1, 0);
    }

    @Test
    void aBudgetBoundsEachBatchAndEachBatchHasADoorbellOfItsOwn() {
        rig.cpuCosts = SLOW_ENTRY;
        policy.budget(3).hardirq(Next.REAP_BUDGET, Next.REAP_BUDGET, Next.REAP_BUDGET, Next.RETURN, Next.RETURN);
        scripted();
        submitter.submit(0, 8);
        rig.runFor(1_000_000);

        assertThat(policy.reapedIn("hardirq")).containsExactly(-1, 3, 3, 2, -1);
        assertThat(submitter.completions.stream().map(Completion::atNs).distinct())
                .hasSize(3);
        assertThat(hardirqNs()).isEqualTo(2 * (ENTRY_NS + EXIT_NS) + 8 * (REAP_NS + COMPLETE_NS) + 3 * MMIO_WRITE_NS);
    }

    @Test
    void whatABudgetLeavesIsReapedByTheNextInterrupt() {
        rig.cpuCosts = SLOW_ENTRY;
        policy.budget(3).hardirq(Next.REAP_BUDGET, Next.RETURN);
        scripted();
        submitter.submit(0, 8);
        rig.runFor(1_000_000);

        assertThat(policy.reapedIn("hardirq")).containsExactly(-1, 3, -1, 5);
        assertThat(submitter.completions).hasSize(8);
    }

    @Test
    void aHandlerThatReturnsAtOnceHandlesNothing() {
        policy.hardirq(Next.RETURN);
        scripted();
        submitter.submit(0, 1);
        rig.runFor(1_000_000);

        assertThat(submitter.completions).isEmpty();
        assertThat(rig.queue(0).pending()).isTrue();
        assertThat(rig.queue(0).descriptor().unhandled()).isEqualTo(1);
    }

    @Test
    void theHardHandlerCannotSleep() {
        policy.hardirq(Next.SLEEP);
        scripted();
        submitter.submit(0, 1);

        assertThatIllegalStateException()
                .isThrownBy(() -> rig.runFor(1_000_000))
                .withMessage("the policy asked the hard handler of 64:nvme0q1 to sleep");
    }

    // ---- a policy's thread

    @Test
    void aWokenThreadReapsInsteadOfTheHardHandler() {
        policy.hardirq(Next.WAKE_THREAD);
        scripted();
        submitter.submit(0, 1);
        rig.runFor(1_000_000);

        assertThat(policy.reapedIn("hardirq")).containsExactly(-1);
        assertThat(policy.reapedIn("thread")).containsExactly(-1, 1);
        assertThat(submitter.completions).hasSize(1);
        assertThat(rig.queue(0).descriptor().unhandled()).isZero();
        assertThat(rig.cpu(0).times().systemNs()).isEqualTo(REAP_NS + MMIO_WRITE_NS + COMPLETE_NS);
    }

    @Test
    void aThreadAloneSleepsTheGreatestTimeAndIsThenAskedAgain() {
        policy.sleep(20_000, 30_000)
                .hardirq(Next.REAP_ALL, Next.WAKE_THREAD)
                .thread(Next.SLEEP, Next.SLEEP, Next.RETURN);
        scripted();
        submitter.submit(0, 1);
        rig.runFor(1_000_000);

        assertThat(policy.reapedIn("thread")).containsExactly(-1, 0, 0);
        List<Long> asked = policy.timesIn("thread");
        assertThat(asked.get(1) - asked.get(0)).isEqualTo(30_000);
        assertThat(asked.get(2) - asked.get(1)).isEqualTo(30_000);
    }

    @Test
    void aThreadReapsWhatCameWhileItSlept() {
        policy.sleep(50_000, 50_000)
                .hardirq(Next.REAP_ALL, Next.WAKE_THREAD)
                .thread(Next.SLEEP, Next.REAP_ALL, Next.RETURN)
                .doing((question, cpu) -> {
                    if (question.context().equals("hardirq") && question.reaped() == 1) {
                        policy.sources.get(0).line().disable(cpu);
                    }
                });
        scripted();
        submitter.submit(0, 1);
        rig.runFor(15_000);
        submitter.submit(0, 4);
        rig.runFor(1_000_000);

        assertThat(policy.reapedIn("thread")).containsExactly(-1, 0, 4);
        assertThat(submitter.completions).hasSize(5);
    }

    @Test
    void aThreadThatIsWantedAgainWhileItSleepsRunsOnceMore() {
        policy.sleep(50_000, 50_000)
                .hardirq(Next.WAKE_THREAD, Next.WAKE_THREAD)
                .thread(Next.SLEEP, Next.REAP_ALL, Next.RETURN, Next.RETURN);
        scripted();
        submitter.submit(0, 1);
        rig.runFor(15_000);
        submitter.submit(0, 1);
        rig.runFor(1_000_000);

        assertThat(policy.reapedIn("thread")).containsExactly(-1, 0, 2, -1);
    }

    @Test
    void aThreadCannotWakeItself() {
        policy.hardirq(Next.WAKE_THREAD).thread(Next.WAKE_THREAD);
        scripted();
        submitter.submit(0, 1);

        assertThatIllegalStateException()
                .isThrownBy(() -> rig.runFor(1_000_000))
                .withMessage("the policy asked the thread of 64:nvme0q1 to wake itself");
    }

    // ---- what a policy sees

    @Test
    void aPolicyIsMadeForEachQueueAndSeesItsLineDepthAndVectors() {
        rig.cpuCount = 4;
        rig.queues = 4;
        rig.depth = 32;
        scripted();

        assertThat(policy.sources).hasSize(4);
        CompletionSource source = policy.sources.get(2);
        assertThat(source.line().name()).isEqualTo("nvme0q3");
        assertThat(source.line().irq()).isEqualTo(66);
        assertThat(source.depth()).isEqualTo(32);
        assertThat(source.vectors()).isEqualTo(4);
        assertThat(source.pending()).isFalse();
        assertThat(source.backlog()).isZero();
    }

    @Test
    void theBacklogIsWhatTheLastReapedCompletionSaid() {
        rig.commandSlots = 4;
        var backlogs = new ArrayList<Integer>();
        policy.doing((question, cpu) -> backlogs.add(policy.sources.get(0).backlog()));
        scripted();
        submitter.submit(0, 10);
        assertThat(policy.sources.get(0).backlog())
                .as("four are fetched, but nothing has been reported")
                .isEqualTo(10);
        rig.runFor(1_000_000);

        assertThat(backlogs).startsWith(10, 10 - 4).endsWith(0);
    }
}
