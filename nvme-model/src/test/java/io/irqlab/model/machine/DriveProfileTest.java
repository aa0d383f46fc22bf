package io.irqlab.model.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.irqlab.model.pcie.PcieLink;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

final class DriveProfileTest {

    /** The values of a profile, in the order of its parts, to be changed one at a time. */
    private static final class Values {
        long readNs = 50_000;
        double readSigma = 0.1;
        int tailPerMillion = 10;
        long tailMinNs = 1_000;
        long tailMaxNs = 2_000;
        long maxIops = 1_000_000;
        int commandSlots = 1;
        long fetchNs;
        int fetchBurst = 1;
        int maxIoQueues = 1;
        int queueDepth = 2;
        long setFeaturesNs;
        long featureStallNs;

        DriveProfile profile() {
            return new DriveProfile(
                    "d",
                    new PcieLink(4, 4, 256),
                    readNs,
                    readSigma,
                    tailPerMillion,
                    tailMinNs,
                    tailMaxNs,
                    maxIops,
                    commandSlots,
                    fetchNs,
                    fetchBurst,
                    maxIoQueues,
                    queueDepth,
                    setFeaturesNs,
                    featureStallNs);
        }
    }

    private static void assertRefused(Consumer<Values> change, String message) {
        var values = new Values();
        change.accept(values);

        assertThatIllegalArgumentException().isThrownBy(values::profile).withMessage(message);
    }

    @Test
    void theLeastValuesAreAccepted() {
        assertThat(new Values().profile().name()).isEqualTo("d");
    }

    @Test
    void everyRangeIsChecked() {
        assertRefused(v -> v.readNs = 0, "d: read time must be more than 0 ns, was 0");
        assertRefused(v -> v.readSigma = -0.1, "d: read sigma must be 0 to 2, was -0.1");
        assertRefused(v -> v.readSigma = 2.5, "d: read sigma must be 0 to 2, was 2.5");
        assertRefused(v -> v.readSigma = Double.NaN, "d: read sigma must be 0 to 2, was NaN");
        assertRefused(v -> v.tailPerMillion = -1, "d: tail must be 0 to 1000000 per million, was -1");
        assertRefused(v -> v.tailPerMillion = 1_000_001, "d: tail must be 0 to 1000000 per million, was 1000001");
        assertRefused(v -> v.tailMinNs = -1, "d: tail must be a range of 0 ns or more, was -1 to 2000");
        assertRefused(v -> v.tailMinNs = 2_001, "d: tail must be a range of 0 ns or more, was 2001 to 2000");
        assertRefused(v -> v.commandSlots = 0, "d: command slots must be 1 or more, was 0");
        assertRefused(v -> v.fetchNs = -1, "d: fetch time must be 0 ns or more, was -1");
        assertRefused(v -> v.fetchBurst = 0, "d: fetch burst must be 1 or more, was 0");
        assertRefused(v -> v.maxIoQueues = 0, "d: I/O queues must be 1 or more, was 0");
        assertRefused(v -> v.queueDepth = 1, "d: queue depth must be 2 to 65536, was 1");
        assertRefused(v -> v.queueDepth = 65_537, "d: queue depth must be 2 to 65536, was 65537");
        assertRefused(v -> v.setFeaturesNs = -1, "d: set_features must be 0 ns or more, was -1");
        assertRefused(v -> v.featureStallNs = -1, "d: feature stall must be 0 ns or more, was -1");
    }

    @Test
    void theGreatestRateIsOneThatTheControllerCanKeep() {
        assertRefused(v -> v.maxIops = 0, "d: max_iops must be 1 to 10^9, was 0");
        assertRefused(v -> v.maxIops = 1_000_000_001, "d: max_iops must be 1 to 10^9, was 1000000001");
    }
}
