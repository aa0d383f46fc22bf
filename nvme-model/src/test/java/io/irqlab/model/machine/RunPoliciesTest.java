package io.irqlab.model.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import io.irqlab.core.engine.RandomStream;
import io.irqlab.core.spi.CompletionSource;
import io.irqlab.core.spi.DriverPolicy;
import io.irqlab.core.spi.FlowPolicy;
import io.irqlab.core.spi.IrqLine;
import io.irqlab.core.spi.Policy;
import io.irqlab.core.spi.PolicyContext;
import io.irqlab.core.spi.PolicyCpu;
import io.irqlab.core.spi.PolicyLayer;
import io.irqlab.core.spi.PolicyStack;
import io.irqlab.core.spi.PolicyTimer;
import io.irqlab.core.spi.QueuePolicy;
import io.irqlab.core.spi.QueuePolicy.Next;
import io.irqlab.model.nvme.InterruptCoalescing;
import io.irqlab.model.nvme.NvmeDrive;
import io.irqlab.model.pcie.PcieLink;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Policies at work in a machine, and what it gives them. */
final class RunPoliciesTest {
    private static final String FILE = "filename=/dev/nvme0n1";

    private final TestMachine machine = new TestMachine();

    private static FakeProvider devicePolicy(String name, Function<PolicyContext, Policy> factory) {
        return new FakeProvider(name, PolicyLayer.DEVICE, factory);
    }

    private RunStatistics run(PolicyStack stack, String... jobLines) {
        return machine.assemble(stack, 1, jobLines).run(0, 5_000_000);
    }

    @Test
    void aPolicySeesTheMachineItsSettingsAndItsDrives() {
        machine.cpus = 3;
        machine.drives = 2;
        var contexts = new ArrayList<PolicyContext>();
        var names = new ArrayList<String>();
        run(
                TestMachine.stack(devicePolicy("probe", context -> {
                    contexts.add(context);
                    return new Policy() {
                        @Override
                        public void start() {
                            context.devices(NvmeDrive.class).forEach(drive -> names.add(drive.name()));
                        }
                    };
                })),
                FILE);

        assertThat(contexts).hasSize(1);
        assertThat(contexts.get(0).cpus()).isEqualTo(3);
        assertThat(contexts.get(0).settings().asMap()).isEmpty();
        assertThat(names).as("started once, with the drives in their order").containsExactly("nvme0", "nvme1");
        assertThat(contexts.get(0).devices(String.class)).isEmpty();
    }

    @Test
    void everyNameIsARandomStreamOfThePolicysOwn() {
        var numbers = new ArrayList<Long>();
        run(
                TestMachine.stack(devicePolicy("probe", context -> {
                    numbers.add(context.random("a").nextLong());
                    numbers.add(context.random("a").nextLong());
                    numbers.add(context.random("b").nextLong());
                    return new Policy() {};
                })),
                FILE);

        assertThat(numbers.get(0))
                .isEqualTo(numbers.get(1))
                .isNotEqualTo(numbers.get(2))
                .isEqualTo(RandomStream.of(1, "probe/a").nextLong());
    }

    @Test
    void countersAreReportedUnderThePolicysNameInTheOrderOfTheStack() {
        var flow = new FakeProvider("zz-flow", PolicyLayer.FLOW, context -> new FlowPolicy() {
            private long handled;

            @Override
            public boolean onHandled(IrqLine line, PolicyCpu cpu) {
                handled++;
                return false;
            }

            @Override
            public Map<String, Long> counters() {
                return Map.of("handled", handled);
            }
        });
        RunStatistics run = run(TestMachine.stack(flow, devicePolicy("aa-device", context -> new Policy() {})), FILE);

        assertThat(run.policies().keySet()).containsExactly("zz-flow", "aa-device");
        assertThat(run.policies().get("zz-flow").get("handled"))
                .isEqualTo(run.interrupts().deviceHardirqs())
                .isPositive();
        assertThat(run.policies().get("aa-device")).isEmpty();
    }

    @Test
    void aPolicyThatDoesNothingChangesNothing() {
        var flow = new FakeProvider("idle-flow", PolicyLayer.FLOW, context -> (FlowPolicy) (line, cpu) -> false);
        var driver = new FakeProvider("idle-driver", PolicyLayer.DRIVER, context ->
                (DriverPolicy) source -> (cpu, reaped) -> reaped < 0 ? Next.REAP_ALL : Next.RETURN);
        RunStatistics none = run(PolicyStack.none(), FILE, "iodepth=8");
        List<Long> latencies = List.copyOf(machine.latencies.get(0));
        RunStatistics idle = run(TestMachine.stack(flow, driver), FILE, "iodepth=8");

        assertThat(machine.latencies.get(0)).isEqualTo(latencies);
        assertThat(idle.devices()).isEqualTo(none.devices());
        assertThat(idle.cpus()).isEqualTo(none.cpus());
        assertThat(idle.interrupts()).isEqualTo(none.interrupts());
        assertThat(idle.engine()).isEqualTo(none.engine());
    }

    @Test
    void aPolicyOfAnotherKindThanItsLayersIsRefused() {
        var wrong = new FakeProvider("wrong", PolicyLayer.FLOW, context -> new Policy() {});

        assertThatIllegalStateException()
                .isThrownBy(() -> run(TestMachine.stack(wrong), FILE))
                .withMessageStartingWith("policy wrong is of the FLOW layer, but its provider created ");
    }

    // ---- timers

    /** Opens a window over its line of a fixed length, with a timer of the machine. */
    private static final class Windows implements FlowPolicy {
        private final List<PolicyTimer> timers = new ArrayList<>();
        private final List<IrqLine> moderated = new ArrayList<>();
        private final int timerOfCpu1;

        Windows(PolicyContext context, int timerOfCpu1) {
            this.timerOfCpu1 = timerOfCpu1;
            for (int cpu = 0; cpu < context.cpus(); cpu++) {
                timers.add(context.timer(cpu, 0, running -> {
                    moderated.forEach(line -> line.unmoderate(running));
                    moderated.clear();
                }));
            }
        }

        @Override
        public boolean onHandled(IrqLine line, PolicyCpu cpu) {
            PolicyTimer timer = timers.get(cpu.number() == 1 ? timerOfCpu1 : cpu.number());
            if (timer.queued()) {
                return false;
            }
            moderated.add(line);
            line.moderate(cpu);
            timer.arm(cpu, 100_000);
            assertThat(timer.queued()).isTrue();
            return true;
        }
    }

    @Test
    void aTimerExpiresOnItsCpuAfterItsDelay() {
        machine.cpus = 1;
        var flow = new FakeProvider("windows", PolicyLayer.FLOW, context -> new Windows(context, 1));
        RunStatistics run = run(TestMachine.stack(flow), FILE);

        // Every I/O waits for the end of the window that the one before it opened.
        long ticks = run.durationNs() / 1_000_000;
        assertThat(run.interrupts().timerHardirqs() - ticks).isBetween(40L, 50L);
        assertThat(run.completed()).isBetween(40L, 50L);
        assertThat(machine.latencies.get(0).subList(1, 40))
                .allSatisfy(latencyNs -> assertThat(latencyNs).isBetween(95_000L, 106_000L));
    }

    @Test
    void aTimerIsArmedOnItsOwnCpuAlone() {
        var flow = new FakeProvider("astray", PolicyLayer.FLOW, context -> new Windows(context, 0));

        assertThatIllegalStateException()
                .isThrownBy(() -> run(TestMachine.stack(flow), FILE, "cpus_allowed=1"))
                .withMessageMatching(
                        "policy astray failed on cpu 1 at \\d+ ns, seed 1: IllegalStateException: a timer pinned"
                                + " to cpu0 was armed on cpu1 \\(at .*");
    }

    // ---- paired comparison

    @Test
    void twoPoliciesSeeTheSameServiceTimes() {
        machine.cpus = 1;
        machine.readSigma = 0.3;
        machine.setFeaturesNs = 0;
        machine.assemble(PolicyStack.none(), 5, FILE).run(0, 20_000_000);
        List<Long> alone = List.copyOf(machine.latencies.get(0));
        var coalescing = devicePolicy("two-or-100-us", context -> new Policy() {
            @Override
            public void start() {
                context.devices(NvmeDrive.class).get(0).setInterruptCoalescing(new InterruptCoalescing(2, 100_000));
            }
        });
        machine.assemble(TestMachine.stack(coalescing), 5, FILE).run(0, 20_000_000);
        List<Long> coalesced = machine.latencies.get(0);

        // Instead of the message that follows its data, the timer and a message of its own.
        long laterNs = 100_000 + machine.link().transferNs(PcieLink.TLP_OVERHEAD_BYTES) - machine.dmaNs;
        assertThat(coalesced).hasSizeGreaterThan(100);
        int equal = 0;
        for (int i = 0; i < coalesced.size(); i++) {
            // A tick may fall on the software's part of one or the other.
            assertThat(coalesced.get(i)).as("seed 5: I/O %d", i).isCloseTo(alone.get(i) + laterNs, within(2_000L));
            equal += coalesced.get(i) == alone.get(i) + laterNs ? 1 : 0;
        }
        assertThat(equal).isGreaterThan(coalesced.size() * 9 / 10);
    }

    // ---- policies that break the machine

    /** Disables its line for ever once it has reaped. */
    private static final class DisablesForEver implements DriverPolicy {
        @Override
        public QueuePolicy forQueue(CompletionSource source) {
            return (cpu, reaped) -> {
                if (reaped < 0) {
                    return Next.REAP_ALL;
                }
                source.line().disable(cpu);
                return Next.RETURN;
            };
        }
    }

    @Test
    void aRunThatIsStuckSaysWhatIsStuck() {
        machine.cpus = 1;
        machine.readSigma = 0;
        var provider = new FakeProvider("for-ever", PolicyLayer.DRIVER, context -> new DisablesForEver());

        assertThatIllegalStateException()
                .isThrownBy(() ->
                        machine.assemble(TestMachine.stack(provider), 1, FILE).run(0, 200_000_000))
                .withMessageMatching(
                        "policy for-ever failed on cpu 0 at 250000000 ns, seed 1: the run is stuck: nvme0q1: completions have"
                                + " waited for 2\\d\\d ms and nobody reaps them; "
                                + "irq 64 has a disable depth of 1, cpu 0 is idle, and 1 commands are in flight");
    }
}
