package io.irqlab.core.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class EventQueueTest {
    private static final int SLOT_NS = 4;
    private static final int SLOTS = 64;
    private static final int HORIZON_NS = SLOT_NS * SLOTS;

    private final EventQueue queue = new EventQueue(SLOT_NS, SLOTS);
    private final List<String> ran = new ArrayList<>();

    @Test
    void eventsRunByTimeWhateverTheOrderOfScheduling() {
        queue.schedule(event("c"), 30);
        queue.schedule(event("a"), 10);
        queue.schedule(event("b"), 20);

        assertThat(queue.runUntil(100)).isEqualTo(3);
        assertThat(ran).containsExactly("a@10", "b@20", "c@30");
    }

    @Test
    void atOneTimeEventsRunInTheOrderOfScheduling() {
        int first = event("first");
        int second = event("second");
        queue.schedule(second, 10);
        queue.schedule(first, 10);

        queue.runUntil(10);

        assertThat(ran).containsExactly("second@10", "first@10");
    }

    @Test
    void withinASlotEventsAreStillOrderedByTime() {
        for (int timeNs : new int[] {3, 1, 2, 0, 2, 3, 1}) {
            queue.schedule(event("e"), timeNs);
        }

        queue.runUntil(3);

        assertThat(ran).containsExactly("e@0", "e@1", "e@1", "e@2", "e@2", "e@3", "e@3");
    }

    @Test
    void anEventFromBeyondTheHorizonRunsBeforeOneThatWasScheduledLaterForTheSameTime() {
        long timeNs = 3 * HORIZON_NS;
        queue.schedule(event("far"), timeNs);
        queue.runUntil(timeNs - 10);
        queue.schedule(event("near"), timeNs);

        queue.runUntil(timeNs);

        assertThat(ran).containsExactly("far@768", "near@768");
    }

    @Test
    void anEventFromBeyondTheHorizonThatIsRescheduledForItsOwnTimeGivesUpItsPlace() {
        long timeNs = 3 * HORIZON_NS;
        int far = event("far");
        queue.schedule(far, timeNs);
        queue.runUntil(timeNs - 10);
        queue.schedule(event("near"), timeNs);
        queue.reschedule(far, timeNs);

        queue.runUntil(timeNs);

        assertThat(ran).containsExactly("near@768", "far@768");
    }

    @Test
    void beyondTheHorizonTiesAreRunInTheOrderOfScheduling() {
        for (String name : List.of("a", "b", "c", "d", "e", "f", "g")) {
            queue.schedule(event(name), 1_000_000);
        }

        queue.runUntil(1_000_000);

        assertThat(ran).extracting(name -> name.charAt(0)).containsExactly('a', 'b', 'c', 'd', 'e', 'f', 'g');
    }

    @ParameterizedTest
    @ValueSource(longs = {HORIZON_NS - SLOT_NS, HORIZON_NS - 1, HORIZON_NS, HORIZON_NS + 1, HORIZON_NS + SLOT_NS})
    void nothingIsLostAtTheHorizon(long delayNs) {
        queue.runUntil(SLOT_NS - 1);
        int event = event("e");
        queue.schedule(event, SLOT_NS - 1 + delayNs);

        assertThat(queue.runUntil(SLOT_NS - 2 + delayNs)).isZero();
        assertThat(queue.runUntil(SLOT_NS - 1 + delayNs)).isEqualTo(1);
    }

    @Test
    void whatIsScheduledForThePresentRunsAfterWhatWasDueThen() {
        int late = event("late");
        queue.schedule(
                queue.register(
                        code -> {
                            ran.add("early@" + queue.nowNs());
                            queue.schedule(late, queue.nowNs());
                        },
                        0),
                10);
        queue.schedule(event("middle"), 10);

        queue.runUntil(10);

        assertThat(ran).containsExactly("early@10", "middle@10", "late@10");
    }

    @Test
    void aHandlerMayScheduleItsOwnEventAgain() {
        int[] event = new int[1];
        event[0] = queue.register(
                code -> {
                    ran.add(code + "@" + queue.nowNs());
                    queue.schedule(event[0], queue.nowNs() + 100);
                },
                7);
        queue.schedule(event[0], 0);

        assertThat(queue.runUntil(350)).isEqualTo(4);
        assertThat(ran).containsExactly("7@0", "7@100", "7@200", "7@300");
        assertThat(queue.timeNs(event[0])).isEqualTo(400);
    }

    @Test
    void aHandlerMayCancelWhatIsDueAtThePresent() {
        int victim = event("victim");
        queue.schedule(queue.register(code -> queue.cancel(victim), 0), 10);
        queue.schedule(victim, 10);
        queue.schedule(event("other"), 10);

        assertThat(queue.runUntil(10)).isEqualTo(2);
        assertThat(ran).containsExactly("other@10");
    }

    @Test
    void aCancelledEventDoesNotRunAndMayBeScheduledAgain() {
        for (long timeNs : new long[] {10, 10_000}) {
            int event = event("e");
            queue.schedule(event, timeNs);
            queue.cancel(event);
            assertThat(queue.pending(event)).isFalse();
            queue.schedule(event, timeNs + 5);
        }

        queue.runUntil(20_000);

        assertThat(ran).containsExactly("e@15", "e@10005");
    }

    @Test
    void cancellingWhatIsNotPendingHasNoEffect() {
        int event = event("e");
        queue.cancel(event);
        queue.schedule(event, 10);
        queue.runUntil(10);
        queue.cancel(event);

        assertThat(ran).containsExactly("e@10");
    }

    @Test
    void anyPlaceInAListCanBeCancelled() {
        for (int cancelled = 0; cancelled < 4; cancelled++) {
            List<Integer> events = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                events.add(event(String.valueOf(i)));
                queue.schedule(events.get(i), queue.nowNs());
            }
            queue.cancel(events.get(cancelled));
            ran.clear();

            queue.runUntil(queue.nowNs());

            List<String> expected = new ArrayList<>(List.of("0@0", "1@0", "2@0", "3@0"));
            expected.remove(cancelled);
            assertThat(ran).isEqualTo(expected);
        }
    }

    @Test
    void reschedulingMovesAnEventEitherWay() {
        int event = event("e");
        queue.reschedule(event, 50);
        queue.reschedule(event, 5_000);
        queue.reschedule(event, 20);

        assertThat(queue.timeNs(event)).isEqualTo(20);
        assertThat(queue.runUntil(10_000)).isEqualTo(1);
        assertThat(ran).containsExactly("e@20");
    }

    @Test
    void reschedulingForTheSameTimeMovesAnEventBehindTheOthers() {
        int event = event("moved");
        queue.schedule(event, 10);
        queue.schedule(event("other"), 10);
        queue.reschedule(event, 10);

        queue.runUntil(10);

        assertThat(ran).containsExactly("other@10", "moved@10");
    }

    @Test
    void anEventIsPendingUntilItsHandlerIsCalled() {
        boolean[] pending = {true};
        int[] event = new int[1];
        event[0] = queue.register(code -> pending[0] = queue.pending(event[0]), 0);
        assertThat(queue.pending(event[0])).isFalse();
        queue.schedule(event[0], 10);
        queue.runUntil(9);
        assertThat(queue.pending(event[0])).isTrue();

        queue.runUntil(10);

        assertThat(pending[0]).isFalse();
    }

    @Test
    void theClockEndsWhereItWasAskedTo() {
        queue.schedule(event("e"), 11);

        assertThat(queue.runUntil(10)).isZero();
        assertThat(queue.nowNs()).isEqualTo(10);
        assertThat(queue.runUntil(10)).isZero();
        assertThat(queue.runUntil(11)).isEqualTo(1);
        assertThat(queue.nowNs()).isEqualTo(11);
        assertThat(queue.processed()).isEqualTo(1);
    }

    @Test
    void aCenturyWithoutEventsIsCrossedAtOnce() {
        long centuryNs = 100L * 365 * 24 * 3_600 * 1_000_000_000;
        queue.schedule(event("e"), centuryNs);
        queue.schedule(event("f"), centuryNs + 1);

        assertThat(queue.runUntil(centuryNs + 1)).isEqualTo(2);
    }

    @Test
    void theEndOfTimeIsATimeToo() {
        queue.schedule(event("first"), Long.MAX_VALUE);
        queue.runUntil(Long.MAX_VALUE - 1);
        queue.schedule(event("second"), Long.MAX_VALUE);

        assertThat(queue.runUntil(Long.MAX_VALUE)).isEqualTo(2);
        assertThat(ran).extracting(name -> name.charAt(0)).containsExactly('f', 's');
    }

    @Test
    void stopEndsTheRunAfterTheEventAndKeepsTheRest() {
        queue.schedule(queue.register(code -> queue.stop(), 0), 10);
        queue.schedule(event("rest"), 10);

        assertThat(queue.runUntil(100)).isEqualTo(1);
        assertThat(queue.nowNs()).isEqualTo(10);
        assertThat(ran).isEmpty();
        assertThat(queue.runUntil(100)).isEqualTo(1);
        assertThat(queue.nowNs()).isEqualTo(100);
    }

    @Test
    void aHandlerThatThrowsEndsTheRunAndTheQueueCanRunOn() {
        RuntimeException fault = new UnsupportedOperationException("broken");
        queue.schedule(
                queue.register(
                        code -> {
                            throw fault;
                        },
                        0),
                10);
        queue.schedule(event("rest"), 20);

        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> queue.runUntil(100))
                .isSameAs(fault);
        assertThat(queue.nowNs()).isEqualTo(10);
        assertThat(queue.processed()).isEqualTo(1);
        assertThat(queue.runUntil(100)).isEqualTo(1);
    }

    @Test
    void eventsAreNumberedFromZeroAndAnyNumberFits() {
        for (int i = 0; i < 1_000; i++) {
            assertThat(event("e")).isEqualTo(i);
        }
        for (int i = 0; i < 1_000; i++) {
            queue.schedule(i, 1_000_000 - 1_000 * i);
        }

        assertThat(queue.runUntil(1_000_000)).isEqualTo(1_000);
    }

    @Test
    void anEventMayBeRegisteredWhileOthersArePending() {
        queue.schedule(event("near"), 1);
        queue.schedule(event("far"), 1_000_000);
        for (int i = 0; i < 100; i++) {
            event("more");
        }

        queue.runUntil(1_000_000);

        assertThat(ran).containsExactly("near@1", "far@1000000");
    }

    @Test
    void everyHandlerGetsItsOwnCodes() {
        EventHandler even = code -> ran.add("even " + code);
        EventHandler odd = code -> ran.add("odd " + code);
        for (int code : new int[] {0, 2, 1, 3, -2, -1, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
            queue.schedule(queue.register(code % 2 == 0 ? even : odd, code), 10);
        }

        queue.runUntil(10);

        assertThat(ran)
                .containsExactly(
                        "even 0",
                        "even 2",
                        "odd 1",
                        "odd 3",
                        "even -2",
                        "odd -1",
                        "even -2147483648",
                        "odd 2147483647");
    }

    @Test
    void thePastCannotBeScheduled() {
        int idle = event("idle");
        int pending = event("pending");
        queue.schedule(pending, 200);
        queue.runUntil(100);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> queue.schedule(idle, 99))
                .withMessage("cannot schedule event 0 at 99 ns: it is already 100 ns");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> queue.reschedule(pending, 99))
                .withMessage("cannot schedule event 1 at 99 ns: it is already 100 ns");
        assertThat(queue.pending(idle)).isFalse();
        assertThat(queue.timeNs(pending)).isEqualTo(200);
    }

    @Test
    void aNegativeTimeIsThePast() {
        int event = event("e");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> queue.schedule(event, -1))
                .withMessage("cannot schedule event 0 at -1 ns: it is already 0 ns");
        assertThatIllegalArgumentException().isThrownBy(() -> queue.reschedule(event, Long.MIN_VALUE));
    }

    @Test
    void aPendingEventCannotBeScheduledTwice() {
        int event = event("e");
        queue.schedule(event, 50);

        assertThatIllegalStateException()
                .isThrownBy(() -> queue.schedule(event, 60))
                .withMessage("cannot schedule event 0 at 60 ns: it is already pending at 50 ns");
        assertThat(queue.timeNs(event)).isEqualTo(50);
    }

    @Test
    void anEventThatIsNotPendingIsNotDue() {
        int event = event("e");

        assertThatIllegalStateException().isThrownBy(() -> queue.timeNs(event)).withMessage("event 0 is not pending");
    }

    @Test
    void anUnknownEventIsRefused() {
        event("e");

        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> queue.schedule(1, 10))
                .withMessage("there is no event 1: 1 are registered");
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> queue.reschedule(1, 10))
                .withMessage("there is no event 1: 1 are registered");
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> queue.schedule(1_000, 10));
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> queue.schedule(-1, 10));
    }

    @Test
    void theClockCannotBeTurnedBack() {
        queue.runUntil(100);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> queue.runUntil(99))
                .withMessage("cannot run until 99 ns: it is already 100 ns");
    }

    @Test
    void aHandlerCannotRunTheQueue() {
        queue.schedule(queue.register(code -> queue.runUntil(20), 0), 10);

        assertThatIllegalStateException()
                .isThrownBy(() -> queue.runUntil(10))
                .withMessage("cannot run from within a handler");
    }

    @Test
    void onlyARunningQueueCanBeStopped() {
        assertThatIllegalStateException().isThrownBy(queue::stop).withMessage("cannot stop: nothing is running");
    }

    @Test
    void aMissingHandlerIsRefused() {
        assertThatNullPointerException()
                .isThrownBy(() -> queue.register(null, 0))
                .withMessage("handler");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -4, 3, Integer.MIN_VALUE})
    void theSlotMustBeAPowerOfTwo(int slotNs) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new EventQueue(slotNs, 64))
                .withMessage("slot must be a power of two ns, was " + slotNs + " ns");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 32, 100, 1 << 27, Integer.MIN_VALUE})
    void theNumberOfSlotsMustBeAPowerOfTwo(int slots) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new EventQueue(4, slots))
                .withMessage("slots must be a power of two from 64 to 67108864, was " + slots);
    }

    private int event(String name) {
        return queue.register(code -> ran.add(name + "@" + queue.nowNs()), 0);
    }
}
