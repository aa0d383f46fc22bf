package io.irqlab.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class TableFormatTest {
    private final TableFormat format = new TableFormat();

    @Test
    void aComparisonIsAligned() {
        assertThat(format.print(List.of(
                        SampleRun.report("none", 7_612_345),
                        SampleRun.report("gsim:delay_us=100,target_intr_rate=1000000+nvme-watermark-poll", 11_408_000),
                        SampleRun.reportOfNothing())))
                .isEqualTo("""
                    sample, seed 7: 10 ms measured after 5 ms of warm-up

                    policy                            IOPS  change  mean   p50   p99  p99.9  hardirqs  hardirqs  busiest\
                      hardirq  softirq     rc0     rc1  lockups
                                                       1/s       %    us    us    us     us       1/s   per I/O      CPU\
                      % of it  % of it  % busy  % busy
                    none                         7,612,345       -  30.0  20.0  40.0   40.0   150,000     0.750        1\
                         30.0     10.0    99.9     0.0        0
                    gsim:delay_us=100,          11,408,000   +49.9  30.0  20.0  40.0   40.0   150,000     0.750        1\
                         30.0     10.0    99.9     0.0        0
                      target_intr_rate=1000000
                      +nvme-watermark-poll
                    none                                 0  -100.0     -     -     -      -         0         -        0\
                          0.0      0.0     0.0     0.0        0

                    change: IOPS against none
                    mean to p99.9: completion latency; busiest CPU: the one that interrupts took most of; root\
                     complexes: rc0, rc1
                    fitted parameters: machine.drives.*.profile.read = 55 us; inferred: 2 (--format json lists them)
                    set on the command line: machine.cpus = 2
                    note: a.fio:3: group_reporting: no effect
                    """);
    }

    @Test
    void oneRunHasNoChange() {
        assertThat(format.print(List.of(SampleRun.report())))
                .doesNotContain("change")
                .contains("none: soft-lockup on CPU 1 at 0.014 s, stuck for 22 s (threshold 20 s) by nvme0q1, nvme0q2");
    }

    @Test
    void withoutNoneTheFirstRowIsTheBaseline() {
        assertThat(format.print(List.of(SampleRun.report("a", 100), SampleRun.report("b", 150))))
                .contains("\nchange: IOPS against a\n")
                .containsPattern("\nb +150 +\\+50\\.0 ");
    }

    @Test
    void theBaselineIsNoneWhereverItStands() {
        assertThat(format.print(List.of(SampleRun.report("a", 100), SampleRun.report("none", 200))))
                .contains("\nchange: IOPS against none\n")
                .containsPattern("\na +100 +-50\\.0 ");
    }

    @Test
    void aRunThatIsNotInItsSteadyStateHasAWarning() {
        assertThat(format.print(
                        List.of(SampleRun.report("steady", 100, 0.01), SampleRun.report("starting", 200, 0.125))))
                .contains("\nwarning: starting: I/Os in flight and IOPS x mean differ by 12.5 %: not a steady state; "
                        + "try a longer warm-up or duration\n")
                .doesNotContain("warning: steady");
    }
}
