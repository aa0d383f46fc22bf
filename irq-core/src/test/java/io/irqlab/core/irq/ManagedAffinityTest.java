package io.irqlab.core.irq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.irqlab.core.cpu.CpuMask;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ManagedAffinityTest {

    /** {@code group_cpus_evenly}: sizes as if CPUs were dealt out one by one, then filled in the order of CPU numbers. */
    @Test
    void everySplitIsThatOfDealingCpusOutAndFillingGroupsInOrder() {
        for (int cpus = 1; cpus <= 66; cpus++) {
            for (int groups = 1; groups <= cpus; groups++) {
                int[] sizes = new int[groups];
                for (int card = 0; card < cpus; card++) {
                    sizes[card % groups]++;
                }
                var split = new ManagedAffinity(cpus, groups);
                int cpu = 0;
                for (int group = 0; group < groups; group++) {
                    assertThat(split.firstCpu(group))
                            .as("first CPU of group %d of %d CPUs in %d groups", group, cpus, groups)
                            .isEqualTo(cpu);
                    for (int member = 0; member < sizes[group]; member++) {
                        assertThat(split.groupOf(cpu))
                                .as("group of CPU %d of %d CPUs in %d groups", cpu, cpus, groups)
                                .isEqualTo(group);
                        cpu++;
                    }
                }
                assertThat(cpu).isEqualTo(cpus);
            }
        }
    }

    /** 128 CPUs and 14 queues: 9 or 10 CPUs each, as the Azure ARM64 report lists the interrupts. */
    @Test
    void fourteenQueuesOn128CpusAreTwoGroupsOfTenAndTwelveOfNine() {
        var groups = new ManagedAffinity(128, 14);
        var first = new ArrayList<Integer>();
        for (int group = 0; group < 14; group++) {
            first.add(groups.firstCpu(group));
        }

        assertThat(first).containsExactly(0, 10, 20, 29, 38, 47, 56, 65, 74, 83, 92, 101, 110, 119);
    }

    @Test
    void theMasksOfTheGroupsAreContiguousAndTogetherAllCpus() {
        var groups = new ManagedAffinity(7, 3);

        assertThat(groups.masks()).containsExactly(CpuMask.range(0, 2), CpuMask.range(3, 4), CpuMask.range(5, 6));
        assertThat(groups.mask(0)).hasToString("0-2");
        assertThat(groups.mask(1)).hasToString("3-4");
        assertThat(groups.mask(2)).hasToString("5-6");
        for (int group = 0; group < 3; group++) {
            int number = group;
            assertThat(groups.mask(group).stream().map(groups::groupOf)).allMatch(of -> of == number);
        }
    }

    @Test
    void aGroupForEachCpuIsThatCpuAndOneGroupIsAll() {
        assertThat(new ManagedAffinity(3, 3).masks()).containsExactly(CpuMask.of(0), CpuMask.of(1), CpuMask.of(2));
        assertThat(new ManagedAffinity(3, 1).masks()).containsExactly(CpuMask.range(0, 2));
    }

    @Test
    void thereIsNoGroupBeyondTheLast() {
        var groups = new ManagedAffinity(4, 2);
        assertThatThrownBy(() -> groups.mask(2)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> groups.mask(-1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> groups.groupOf(4)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @ParameterizedTest
    @CsvSource({"4, 0", "4, 5", "1, -1"})
    void aNumberOfGroupsThatCannotBeIsRefused(int cpus, int groups) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ManagedAffinity(cpus, groups))
                .withMessage("groups must be 1 to %d, were %d", cpus, groups);
    }
}
