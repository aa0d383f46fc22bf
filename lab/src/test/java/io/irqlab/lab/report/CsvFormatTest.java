package io.irqlab.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class CsvFormatTest {
    private final CsvFormat format = new CsvFormat();

    @Test
    void aHeaderWithUnitsIsFollowedByARowForEachRun() {
        assertThat(format.print(List.of(
                        SampleRun.report(), SampleRun.report("gsim:delay_us=100,hardirq_percent=70", 250_000.5))))
                .isEqualTo("""
                    scenario,policy,seed,warmup_ns,duration_ns,iops_per_second,iops_change_percent,\
                    bw_bytes_per_second,clat_mean_ns,clat_min_ns,clat_max_ns,clat_p50_ns,clat_p90_ns,clat_p99_ns,\
                    clat_p99.9_ns,clat_p99.99_ns,hardirqs_per_second,msis_per_second,hardirqs_per_io,busiest_cpu,\
                    busiest_cpu_hardirq_percent,busiest_cpu_softirq_percent,busiest_root_complex,\
                    busiest_root_complex_utilization_percent,lockups
                    sample,none,7,5000000,10000000,200000,,819200000,30000,20000,40000,20015,40000,40000,40000,40000,\
                    150000,200000,0.75,1,30,10,rc0,99.9,1
                    sample,"gsim:delay_us=100,hardirq_percent=70",7,5000000,10000000,250000.5,25.00025,819200000,\
                    30000,20000,40000,20015,40000,40000,40000,40000,150000,200000,0.75,1,30,10,rc0,99.9,0
                    """);
    }

    @Test
    void whatIsNotKnownIsEmpty() {
        assertThat(format.print(List.of(SampleRun.reportOfNothing())))
                .endsWith("\nsample,none,7,5000000,10000000,0,,0,,,,,,,,,0,0,,0,0,0,rc0,0,0\n");
    }

    @Test
    void quotesAreDoubled() {
        assertThat(format.print(List.of(SampleRun.report("a\"b", 1)))).contains("sample,\"a\"\"b\",7");
    }
}
