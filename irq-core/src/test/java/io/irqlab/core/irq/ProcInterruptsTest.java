package io.irqlab.core.irq;

import static org.assertj.core.api.Assertions.assertThat;

import io.irqlab.core.cpu.HrTimer;
import io.irqlab.core.cpu.Task;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** The layout is that of the kernel's own file, so that tools that read it can. */
final class ProcInterruptsTest {
    private final TestMachine machine = new TestMachine(2);

    @Test
    void rowsAreThoseOfTheRealFile() {
        var level = new FakeChip(machine.run, FlowType.LEVEL);
        var pci = machine.line(9, "pci", level, 0);
        pci.requestIrq("acpi", machine.action("a", 10), machine.cpu(0), IrqFlag.SHARED);
        pci.requestIrq("i801_smbus", machine.action("b", 10), machine.cpu(0), IrqFlag.SHARED);
        var msi = new FakeChip(machine.run, FlowType.EDGE);
        var nvme = machine.line(128, "nvme0q1", msi, 1);
        nvme.requestIrq(machine.action("c", 10), machine.cpu(0));
        machine.line(130, "without a handler", new FakeChip(machine.run, FlowType.EDGE), 0);
        machine.interrupts.allocatePercpu(23, "arm-pmu", on -> -1).enable(machine.cpu(0));
        for (int i = 0; i < 1_234; i++) {
            machine.run.at(1_000 + i * 1_000, msi::event);
        }
        new HrTimer(machine.cpu(0), on -> {}).arm(machine.cpu(0), 500, 0);
        var task = Task.fair(machine.cpu(1), "task", on -> -1);
        machine.run.at(600, task::start);
        machine.run.at(700, () -> task.wake(machine.cpu(0)));
        machine.run.until(10_000_000);

        assertThat(machine.interrupts.procInterrupts()).isEqualTo("""
                                   CPU0       CPU1      \s
                          9:          0          0 PCI-MSIX   9-level     acpi, i801_smbus
                         23:          0          0   PERCPU  23-percpu    arm-pmu
                        128:          0       1234 PCI-MSIX 128-edge      nvme0q1
                        LOC:          1          1  Local timer interrupts
                        RES:          0          2  Rescheduling interrupts
                        """);
    }

    @Test
    void onlyCpusThatAreOnlineHaveAColumn() {
        var msi = new FakeChip(machine.run, FlowType.EDGE);
        machine.line(40, "eth0", msi, 1).requestIrq(machine.action("irq", 10), machine.cpu(0));
        machine.run.at(100, msi::event);
        machine.run.at(500, () -> machine.hotplug.down(machine.cpu(1)));
        machine.run.until(1_000);
        assertThat(machine.interrupts.procInterrupts().lines().limit(2))
                .containsExactly("           CPU0       ", " 40:          0 PCI-MSIX  40-edge      eth0");
        machine.hotplug.up(machine.cpu(1));
        assertThat(machine.interrupts.procInterrupts().lines().skip(1).findFirst())
                .hasValue(" 40:          0          1 PCI-MSIX  40-edge      eth0");
    }

    @Test
    void theNumbersMakeTheirColumnAsWideAsTheGreatest() {
        machine.line(12_345, "eth0", new FakeChip(machine.run, FlowType.EDGE), 0)
                .requestIrq(machine.action("irq", 10), machine.cpu(0));
        assertThat(machine.interrupts.procInterrupts().lines())
                .startsWith("             CPU0       CPU1       ")
                .contains("  LOC:          0          0  Local timer interrupts");
    }

    @Test
    void theLocaleOfTheUserDoesNotMatter() {
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
            machine.line(40, "eth0", new FakeChip(machine.run, FlowType.EDGE), 0)
                    .requestIrq(machine.action("irq", 10), machine.cpu(0));
            assertThat(machine.interrupts.procInterrupts()).contains("CPU0 ", " 40: ", "40-edge");
        } finally {
            Locale.setDefault(before);
        }
    }
}
