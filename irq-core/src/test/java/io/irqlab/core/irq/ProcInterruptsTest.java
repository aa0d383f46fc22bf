package io.irqlab.core.irq;

import static org.assertj.core.api.Assertions.assertThat;

import io.irqlab.core.cpu.CpuMask;
import io.irqlab.core.cpu.Routine;
import org.junit.jupiter.api.Test;

/** The layout of /proc/interrupts, as show_interrupts of kernel/irq/proc.c prints it on x86. */
final class ProcInterruptsTest {
    private final LineRig rig = new LineRig(3);
    private final FakeAction first = rig.handler("first", 100);

    @Test
    void aColumnForEachCpuARowForEachLineAndTheCpusOwn() {
        rig.line(FlowType.EDGE, 0);
        IrqDescriptor line = rig.interrupts.lines().get(0);
        line.requestIrq("eth0-rx", first, rig.cpu(1));
        IrqDescriptor shared = rig.interrupts.allocate(9, "acpi", FlowType.LEVEL, rig.wire, CpuMask.of(2));
        shared.requestIrq("acpi", new FakeAction(on -> Routine.DONE), rig.cpu(1), IrqFlag.SHARED);
        shared.requestIrq("i801", new FakeAction(on -> Routine.DONE), rig.cpu(1), IrqFlag.SHARED);
        rig.interrupts.allocate(130, "unused", FlowType.EDGE, new FakeMsi(rig.run), CpuMask.of(1));
        rig.interrupts.allocatePercpu(16, "pmu", on -> Routine.DONE).enable(rig.cpu(1));
        for (int i = 0; i < 12; i++) {
            rig.run.at(1_000 + i * 1_000, rig.msi::event);
        }
        rig.run.until(100_000);

        assertThat(rig.interrupts.procInterrupts()).isEqualTo("""
                                   CPU0       CPU1       CPU2      \s
                          9:          0          0          0  IO-APIC   9-level     acpi, i801
                         16:          0          0          0   PERCPU  16-percpu    pmu
                         24:         12          0          0 PCI-MSIX  24-edge      eth0-rx
                        LOC:          0          0          0   Local timer interrupts
                        RES:          0          0          0   Rescheduling interrupts
                        """);
    }

    @Test
    void aCpuThatIsOfflineHasNoColumn() {
        IrqDescriptor line = rig.line(FlowType.EDGE, 0, 2);
        line.requestIrq(first, rig.cpu(1));
        rig.run.at(1_000, rig.msi::event);
        rig.run.at(5_000, () -> rig.hotplug.down(rig.cpu(0)));
        rig.run.at(6_000, rig.msi::event);
        rig.run.until(10_000);

        assertThat(rig.interrupts.procInterrupts().lines().limit(2))
                .containsExactly(
                        "           CPU1       CPU2       ", " 24:          0          1 PCI-MSIX  24-edge      eth0");
    }

    @Test
    void aFreedLineIsShownAsLongAsItHasCounts() {
        IrqDescriptor line = rig.line(FlowType.EDGE, 0);
        line.requestIrq(first, rig.cpu(1));
        line.freeIrq(first, rig.cpu(1));
        assertThat(rig.interrupts.procInterrupts()).doesNotContain("24:");

        line.requestIrq(first, rig.cpu(1));
        rig.msi.event();
        rig.run.until(1_000);
        line.freeIrq(first, rig.cpu(1));
        assertThat(rig.interrupts.procInterrupts())
                .contains(" 24:          1          0          0 PCI-MSIX  24-edge    \n");
    }

    @Test
    void wideNumbersWidenTheFirstColumn() {
        IrqDescriptor line = rig.interrupts.allocate(12_345, "nvme", FlowType.FASTEOI, rig.msi, CpuMask.of(0));
        line.requestIrq("nvme0q1", first, rig.cpu(1));

        assertThat(rig.interrupts.procInterrupts().lines())
                .contains(
                        "12345:          0          0          0 PCI-MSIX 12345-fasteoi   nvme0q1",
                        "  LOC:          0          0          0   Local timer interrupts");
    }
}
