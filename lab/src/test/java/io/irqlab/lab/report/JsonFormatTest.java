package io.irqlab.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class JsonFormatTest {
    private final JsonFormat format = new JsonFormat();

    @Test
    void aReportHasTheNamesAndTheOrderOfTheContract() {
        assertThat(format.object(SampleRun.report())).isEqualTo("""
            {
              "scenario": "sample",
              "policy": "none",
              "seed": 7,
              "warmup_ns": 5000000,
              "duration_ns": 10000000,
              "iops": 200000,
              "bw_bytes_per_second": 819200000,
              "clat_ns": {
                "mean": 30000,
                "min": 20000,
                "max": 40000,
                "p50": 20015,
                "p90": 40000,
                "p99": 40000,
                "p99.9": 40000,
                "p99.99": 40000
              },
              "interrupts": {
                "hardirqs_per_second": 150000,
                "msis_per_second": 200000,
                "per_io": 0.75,
                "device_hardirqs_per_second": 140000,
                "timer_hardirqs_per_second": 6000,
                "ipis_per_second": 4000
              },
              "devices": [
                {
                  "name": "nvme0",
                  "iops": 200000,
                  "clat_ns": {
                    "mean": 30000,
                    "min": 20000,
                    "max": 40000,
                    "p50": 20015,
                    "p90": 40000,
                    "p99": 40000,
                    "p99.9": 40000,
                    "p99.99": 40000
                  },
                  "in_flight_mean": 6
                },
                {
                  "name": "nvme1",
                  "iops": 0,
                  "in_flight_mean": 0
                }
              ],
              "cpus": [
                {
                  "cpu": 0,
                  "hardirq": 0.25,
                  "softirq": 0,
                  "system": 0.05,
                  "user": 0.1,
                  "idle": 0.6
                },
                {
                  "cpu": 1,
                  "hardirq": 0.3,
                  "softirq": 0.1,
                  "system": 0,
                  "user": 0,
                  "idle": 0.6
                }
              ],
              "root_complexes": [
                {
                  "name": "rc0",
                  "utilization": 0.999
                },
                {
                  "name": "rc1",
                  "utilization": 0
                }
              ],
              "lockups": [
                {
                  "kind": "soft-lockup",
                  "cpu": 1,
                  "at_ns": 14000000,
                  "stuck_s": 22,
                  "irqs": [
                    "nvme0q1",
                    "nvme0q2"
                  ],
                  "threshold_s": 20,
                  "load": [
                    {
                      "system": 0.01,
                      "softirq": 0,
                      "hardirq": 0.99,
                      "idle": 0
                    }
                  ],
                  "most_frequent": [
                    {
                      "irq": "nvme0q2",
                      "count": 5000
                    }
                  ]
                }
              ],
              "policies": {
                "gsim": {
                  "timer_set": 17
                }
              },
              "engine": {
                "events": 123456,
                "ios": 3000,
                "wall_ns": 2000000,
                "events_per_second": 61728000
              },
              "little_error": 0,
              "fitted_parameters": [
                {
                  "name": "machine.drives.*.profile.read",
                  "value": 55,
                  "unit": "us",
                  "source": "a fit"
                }
              ],
              "inferred_parameters": [
                {
                  "name": "machine.root_complexes.rc0.msi",
                  "value": 175,
                  "unit": "ns",
                  "source": "a mail"
                },
                {
                  "name": "machine.drives.nvme0.root_complex",
                  "value": "rc0",
                  "source": "a table"
                }
              ],
              "set_parameters": [
                {
                  "name": "machine.cpus",
                  "value": 2,
                  "unit": "count",
                  "source": "set on the command line"
                }
              ],
              "notes": [
                "a.fio:3: group_reporting: no effect"
              ],
              "version": "1.2.3"
            }
            """);
    }

    @Test
    void whatIsNotKnownIsAbsent() {
        assertThat(format.object(SampleRun.reportOfNothing()))
                .contains("\"iops\": 0")
                .doesNotContain("clat_ns", "per_io", "little_error", "null", "NaN");
    }

    @Test
    void severalReportsAreAnArray() {
        assertThat(format.array(List.of(SampleRun.report(), SampleRun.report())))
                .startsWith("[\n  {\n    \"scenario\": \"sample\",")
                .endsWith("  }\n]\n");
    }

    @Test
    void largeAndSmallNumbersHaveNoExponent() {
        assertThat(format.object(SampleRun.report("none", 1.25e12))).contains("\"iops\": 1250000000000,");
        assertThat(format.object(SampleRun.report("none", 1.25e-5))).contains("\"iops\": 0.000012,");
    }
}
