package io.irqlab.model.pcie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.irqlab.core.engine.EventQueue;
import io.irqlab.core.engine.RandomStream;
import io.irqlab.model.pcie.RecordingDevice.Service;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RootComplexTest {
    private static final int BLOCK_BYTES = 4096;
    private static final long DMA_NS = 40;
    private static final long MSI_NS = 150;
    private static final int MANY_CREDITS = 1_000;

    private final EventQueue queue = new EventQueue();

    private RootComplex rootComplex(int credits) {
        return new RootComplex("rc0", queue, DMA_NS, MSI_NS, credits);
    }

    private RecordingDevice deviceWithoutMsis() {
        return new RecordingDevice(queue, write -> false);
    }

    private RecordingDevice deviceWithAnMsiPerWrite() {
        return new RecordingDevice(queue, write -> true);
    }

    private static void writeBlocks(RootComplex.Port port, int from, int to) {
        for (int write = from; write < to; write++) {
            port.write(write, BLOCK_BYTES, 0);
        }
    }

    // ---- service times

    @Test
    void aBlockTakesTheDmaTimeAndAnMsiItsOwnTimeAfterIt() {
        var device = new RecordingDevice(queue, write -> write == 1);
        RootComplex.Port port = rootComplex(MANY_CREDITS).port(device);
        writeBlocks(port, 0, 3);
        queue.runUntil(1_000);

        assertThat(device.served)
                .containsExactly(
                        new Service(0, 0, 40, 40, false),
                        new Service(1, 40, 80, 230, true),
                        new Service(2, 230, 270, 270, false));
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 1", "100, 1", "103, 2", "512, 5", "4096, 40", "4097, 41", "8192, 80", "1048576, 10240"})
    void dataTakesTimeInProportionToItsBytesRoundedUp(long bytes, long serviceNs) {
        var device = deviceWithoutMsis();
        rootComplex(MANY_CREDITS).port(device).write(7, bytes, 0);
        queue.runUntil(100_000);

        assertThat(device.ends()).containsExactly(serviceNs);
    }

    @Test
    void aMaskedMessageWithoutDataTakesNoTime() {
        var device = deviceWithoutMsis();
        RootComplex complex = rootComplex(MANY_CREDITS);
        complex.port(device).write(-1, 0, 500);
        queue.runUntil(1_000);

        assertThat(device.served).containsExactly(new Service(-1, 500, 500, 500, false));
        assertThat(complex.busyNs()).isZero();
        assertThat(complex.msis()).isZero();
    }

    // ---- capacity: a * IOPS + b * MSI <= 1

    @ParameterizedTest
    @CsvSource({"0, 40", "1, 190", "2, 115", "4, 78"})
    void atSaturationDataAndMsisTogetherFillEveryNanosecond(int writesPerMsi, long meanServiceNs) {
        var device = new RecordingDevice(queue, write -> writesPerMsi > 0 && write % writesPerMsi == 0);
        RootComplex complex = rootComplex(8);
        RootComplex.Port port = complex.port(device);
        int writes = 1_000;
        writeBlocks(port, 0, writes);
        long msis = writesPerMsi == 0 ? 0 : writes / writesPerMsi;
        long neededNs = writes * DMA_NS + msis * MSI_NS;

        queue.runUntil(neededNs - 1);
        assertThat(device.served).hasSize(writes - 1);
        assertThat(complex.busyNs()).isEqualTo(neededNs - 1);

        queue.runUntil(10 * neededNs);
        assertThat(device.served).hasSize(writes);
        assertThat(device.ends().get(writes - 1)).isEqualTo(neededNs);
        assertThat(complex.busyNs()).isEqualTo(neededNs);
        assertThat(complex.msis()).isEqualTo(msis);
        assertThat(neededNs / writes).isCloseTo(meanServiceNs, within(1L));
    }

    @Test
    void severalSaturatedPortsShareOneCapacity() {
        RootComplex complex = rootComplex(8);
        var devices =
                IntStream.range(0, 5).mapToObj(i -> deviceWithAnMsiPerWrite()).toList();
        devices.forEach(device -> writeBlocks(complex.port(device), 0, 2_000));
        long elapsedNs = 1_000_000;
        queue.runUntil(elapsedNs);

        long served = devices.stream().mapToLong(device -> device.served.size()).sum();
        assertThat(served).isEqualTo(elapsedNs / (DMA_NS + MSI_NS));
        assertThat(complex.busyNs()).isEqualTo(elapsedNs);
        assertThat(devices)
                .allSatisfy(device ->
                        assertThat(device.served.size()).isBetween((int) (served / 5), (int) (served / 5) + 1));
    }

    @Test
    void aWriteInServiceCountsAsBusyOnlyUpToNow() {
        RootComplex complex = rootComplex(8);
        complex.port(deviceWithAnMsiPerWrite()).write(0, BLOCK_BYTES, 100);

        queue.runUntil(99);
        assertThat(complex.busyNs()).isZero();
        queue.runUntil(150);
        assertThat(complex.busyNs()).isEqualTo(50);
        queue.runUntil(289);
        assertThat(complex.busyNs()).isEqualTo(189);
        queue.runUntil(5_000);
        assertThat(complex.busyNs()).isEqualTo(190);
    }

    @Test
    void betweenWritesItIsIdle() {
        RootComplex complex = rootComplex(8);
        RootComplex.Port port = complex.port(deviceWithoutMsis());
        for (int write = 0; write < 10; write++) {
            port.write(write, BLOCK_BYTES, write * 100L);
        }
        queue.runUntil(1_000);

        assertThat(complex.busyNs()).isEqualTo(400);
    }

    // ---- order

    @Test
    void aPortIsServedInTheOrderOfItsWrites() {
        var device = deviceWithoutMsis();
        RootComplex.Port port = rootComplex(4).port(device);
        port.write(30, 64, 0);
        port.write(10, 1 << 20, 0);
        port.write(20, 0, 0);
        port.write(11, 512, 0);
        queue.runUntil(1_000_000);

        assertThat(device.servedWrites()).containsExactly(30, 10, 20, 11);
    }

    @Test
    void nothingIsServedBeforeItHasCrossedTheLink() {
        var device = deviceWithoutMsis();
        RootComplex.Port port = rootComplex(4).port(device);
        port.write(0, BLOCK_BYTES, 1_000);
        port.write(1, BLOCK_BYTES, 1_010);
        port.write(2, BLOCK_BYTES, 5_000);
        queue.runUntil(10_000);

        assertThat(device.served.stream().map(Service::startNs)).containsExactly(1_000L, 1_040L, 5_000L);
    }

    @Test
    void anIdleRootComplexTakesWhateverArrivesFirst() {
        RootComplex complex = rootComplex(4);
        var late = deviceWithoutMsis();
        var early = deviceWithoutMsis();
        complex.port(late).write(0, BLOCK_BYTES, 9_000);
        complex.port(early).write(0, BLOCK_BYTES, 2_000);
        queue.runUntil(10_000);

        assertThat(early.ends()).containsExactly(2_040L);
        assertThat(late.ends()).containsExactly(9_040L);
    }

    // ---- turns

    /** Runs devices on ports of one root complex and returns which port each service went to. */
    private List<Integer> turns(int ports, int[] writesOfPort) {
        RootComplex complex = rootComplex(2);
        var turns = new ArrayList<Integer>();
        for (int i = 0; i < ports; i++) {
            int index = i;
            var device = deviceWithoutMsis();
            device.afterEachService(() -> turns.add(index));
            writeBlocks(complex.port(device), 0, writesOfPort[i]);
        }
        queue.runUntil(1_000_000);
        return turns;
    }

    @Test
    void waitingPortsTakeTurns() {
        assertThat(turns(3, new int[] {3, 3, 3})).containsExactly(0, 1, 2, 0, 1, 2, 0, 1, 2);
    }

    @Test
    void aPortWithoutWritesLosesNothingButItsTurn() {
        assertThat(turns(4, new int[] {4, 0, 2, 1})).containsExactly(0, 2, 3, 0, 2, 0, 0);
    }

    @Test
    void aPortThatComesLateIsNextAfterTheWriteInService() {
        RootComplex complex = rootComplex(2);
        var backlogged = deviceWithoutMsis();
        var late = deviceWithoutMsis();
        writeBlocks(complex.port(backlogged), 0, 100);
        RootComplex.Port latePort = complex.port(late);
        queue.runUntil(410); // the eleventh write of the first port has begun
        latePort.write(0, BLOCK_BYTES, 410);
        queue.runUntil(1_000);

        assertThat(late.served).containsExactly(new Service(0, 440, 480, 480, false));
    }

    @Test
    void aWriteStillOnItsLinkDoesNotWaitInTheQueueOfTurns() {
        RootComplex complex = rootComplex(2);
        var first = deviceWithoutMsis();
        var crossing = deviceWithoutMsis();
        writeBlocks(complex.port(first), 0, 5);
        complex.port(crossing).write(0, BLOCK_BYTES, 121);
        queue.runUntil(1_000);

        assertThat(first.ends()).containsExactly(40L, 80L, 120L, 160L, 240L);
        assertThat(crossing.ends()).containsExactly(200L);
    }

    // ---- posted credits

    @Test
    void asManyWritesAsThereAreCreditsAreAdmittedAtOnceAndTheRestOneByOne() {
        var device = deviceWithoutMsis();
        writeBlocks(rootComplex(3).port(device), 0, 6);
        assertThat(device.admitted).containsExactly(0, 1, 2);

        queue.runUntil(1_000);
        assertThat(device.admitted).containsExactly(0, 1, 2, 3, 4, 5);
        assertThat(device.admittedNs).containsExactly(0L, 0L, 0L, 40L, 80L, 120L);
    }

    @Test
    void withOneCreditAWriteIsAdmittedWhenTheOneBeforeItHasBeenServed() {
        var device = deviceWithAnMsiPerWrite();
        writeBlocks(rootComplex(1).port(device), 0, 4);
        queue.runUntil(10_000);

        assertThat(device.admittedNs).containsExactly(0L, 190L, 380L, 570L);
    }

    @Test
    void creditsAreEachPortsOwn() {
        RootComplex complex = rootComplex(2);
        var one = deviceWithoutMsis();
        var other = deviceWithoutMsis();
        writeBlocks(complex.port(one), 0, 5);
        writeBlocks(complex.port(other), 0, 5);

        assertThat(one.admitted).containsExactly(0, 1);
        assertThat(other.admitted).containsExactly(0, 1);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void underARandomLoadEveryWriteIsAdmittedOnceInOrderAndNotAfterItsService(long seed) {
        RandomStream random = RandomStream.of(seed, "root-complex-test");
        int credits = 1 + random.nextInt(5);
        var complex = new RootComplex("rc0", queue, 40, 1 + random.nextInt(200), credits);
        var devices = new ArrayList<RecordingDevice>();
        var ports = new ArrayList<RootComplex.Port>();
        for (int i = 0; i < 3; i++) {
            var device = new RecordingDevice(queue, write -> write % 3 != 0);
            devices.add(device);
            ports.add(complex.port(device));
        }
        int[] written = new int[3];
        long[] arrivalNs = new long[3];
        for (int burst = 0; burst < 400; burst++) {
            int port = random.nextInt(3);
            for (int i = random.nextInt(60); i > 0; i--) {
                arrivalNs[port] = Math.max(arrivalNs[port], queue.nowNs()) + random.nextInt(80);
                ports.get(port).write(written[port]++, random.nextInt(9) * 512L, arrivalNs[port]);
            }
            queue.runUntil(queue.nowNs() + random.nextInt(8_000));
            assertThat(complex.busyNs()).as("seed %d: busy time", seed).isLessThanOrEqualTo(queue.nowNs());
            for (int i = 0; i < 3; i++) {
                RecordingDevice device = devices.get(i);
                assertThat(device.admitted)
                        .as("seed %d: admitted of port %d at %d ns", seed, i, queue.nowNs())
                        .hasSize(Math.min(written[i], device.served.size() + credits));
            }
        }
        queue.runUntil(queue.nowNs() + 100_000_000);

        long servedNs = 0;
        long msis = 0;
        for (int i = 0; i < 3; i++) {
            RecordingDevice device = devices.get(i);
            List<Integer> all = IntStream.range(0, written[i]).boxed().toList();
            assertThat(device.servedWrites()).as("seed %d: port %d", seed, i).isEqualTo(all);
            assertThat(device.admitted).as("seed %d: port %d", seed, i).isEqualTo(all);
            for (Service service : device.served) {
                assertThat(device.admittedNs.get(service.write()))
                        .as("seed %d: port %d, write %d", seed, i, service.write())
                        .isLessThanOrEqualTo(service.startNs());
                servedNs += service.endNs() - service.startNs();
                msis += service.withMsi() ? 1 : 0;
            }
        }
        assertThat(complex.busyNs()).as("seed %d", seed).isEqualTo(servedNs);
        assertThat(complex.msis()).as("seed %d", seed).isEqualTo(msis);
    }

    // ---- many writes

    @Test
    void aBacklogBeyondTheFirstRingKeepsItsOrder() {
        var device = deviceWithoutMsis();
        RootComplex.Port port = rootComplex(8).port(device);
        writeBlocks(port, 0, 40);
        queue.runUntil(30 * DMA_NS); // the head stands in the middle of the ring when it grows
        for (int write = 40; write < 1_000; write++) {
            port.write(write, BLOCK_BYTES, queue.nowNs());
        }
        queue.runUntil(1_000_000);

        assertThat(device.servedWrites())
                .isEqualTo(IntStream.range(0, 1_000).boxed().toList());
        assertThat(device.admitted).isEqualTo(IntStream.range(0, 1_000).boxed().toList());
        assertThat(device.ends())
                .isEqualTo(LongStream.rangeClosed(1, 1_000)
                        .map(i -> i * DMA_NS)
                        .boxed()
                        .toList());
    }

    @Test
    void aDeviceMayWriteAgainWhenOneOfItsWritesWasServed() {
        var device = deviceWithAnMsiPerWrite();
        RootComplex.Port port = rootComplex(1).port(device);
        device.afterEachService(() -> {
            if (device.served.size() < 5) {
                port.write(device.served.size(), BLOCK_BYTES, queue.nowNs() + 10);
            }
        });
        port.write(0, BLOCK_BYTES, 0);
        queue.runUntil(10_000);

        assertThat(device.ends()).containsExactly(190L, 390L, 590L, 790L, 990L);
    }

    // ---- reads

    @Test
    void aReadStallsForThePostedWritesOfItsPortInFrontOfIt() {
        RootComplex.Port port = rootComplex(8).port(deviceWithAnMsiPerWrite());
        assertThat(port.readStallNs()).isZero();

        writeBlocks(port, 0, 3);
        assertThat(port.readStallNs()).isEqualTo(3 * (DMA_NS + MSI_NS));
        queue.runUntil(200);
        assertThat(port.readStallNs()).isEqualTo(2 * (DMA_NS + MSI_NS));
        queue.runUntil(1_000);
        assertThat(port.readStallNs()).isZero();
    }

    @Test
    void aReadStallsAtMostForThePostedCredits() {
        RootComplex.Port port = rootComplex(4).port(deviceWithAnMsiPerWrite());
        writeBlocks(port, 0, 100);

        assertThat(port.readStallNs()).isEqualTo(4 * (DMA_NS + MSI_NS));
    }

    @Test
    void otherWaitingPortsMakeAReadStallLongerAndIdleOnesDoNot() {
        RootComplex complex = rootComplex(4);
        RootComplex.Port own = complex.port(deviceWithAnMsiPerWrite());
        RootComplex.Port busy = complex.port(deviceWithAnMsiPerWrite());
        RootComplex.Port idle = complex.port(deviceWithAnMsiPerWrite());
        writeBlocks(own, 0, 2);
        writeBlocks(busy, 0, 9);

        assertThat(own.readStallNs()).isEqualTo(2 * 2 * (DMA_NS + MSI_NS));
        assertThat(idle.readStallNs()).isZero();
    }

    // ---- making one

    @Test
    void costsAndCreditsOutsideTheirRangesAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RootComplex("rc0", queue, 0, 0, 1))
                .withMessage("dma time must be more than 0 ns, was 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RootComplex("rc0", queue, 1, -1, 1))
                .withMessage("msi time must be 0 ns or more, was -1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RootComplex("rc0", queue, 1, 0, 0))
                .withMessage("posted credits must be 1 or more, was 0");
    }

    @Test
    void itIsKnownByItsName() {
        assertThat(rootComplex(1).name()).isEqualTo("rc0");
    }
}
