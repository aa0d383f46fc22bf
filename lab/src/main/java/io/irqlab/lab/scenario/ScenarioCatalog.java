package io.irqlab.lab.scenario;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableMap;
import io.irqlab.model.machine.MachineProfile;
import io.irqlab.model.workload.FioJobFile;
import io.irqlab.model.workload.FioSyntaxException;
import io.irqlab.model.workload.IoEngine;
import io.irqlab.model.workload.JobSpec;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Finds and loads scenarios: those that come with irqlab by name, a user's own by path.
 *
 * <p>A scenario file has the keys {@code description}, {@code machine}, {@code job_file}, {@code warmup}, {@code
 * duration}, {@code compare} and, if it likes, {@code changes}; {@code docs/profiles.md} describes it and the files to which it refers.
 */
public final class ScenarioCatalog {
    private static final long MAX_NS = 3_600_000_000_000L;

    /** Creates the catalog. */
    public ScenarioCatalog() {}

    /**
     * Returns the scenarios that come with irqlab.
     *
     * @return names with descriptions of one line, in the order of names
     */
    public Map<String, String> builtIns() {
        var descriptions = ImmutableMap.<String, String>builder();
        for (String name : FileKind.SCENARIO.names()) {
            Section root = Section.of(new Loading(List.of()), FileKind.SCENARIO.builtIn(name), "scenario");
            descriptions.put(name, root.text("description").strip());
        }
        return descriptions.buildOrThrow();
    }

    /**
     * Loads a scenario with all files to which it refers.
     *
     * @param reference a name, or a path that has a {@code /} or ends in {@code .yaml}
     * @param jobFile path of a job file in place of the scenario's own; null for its own
     * @param settings what the user sets in place of what the files say; the last that matches a value counts
     * @return the scenario
     * @throws InvalidInputException if a file, a value or a setting is wrong
     */
    public Scenario load(String reference, @Nullable String jobFile, List<Setting> settings) {
        SourceFile file = FileKind.SCENARIO.isPath(reference)
                ? SourceFile.User.of(reference)
                : FileKind.SCENARIO.builtIn(reference);
        var loading = new Loading(settings);
        Section root = Section.of(loading, file, "scenario")
                .only("description", "machine", "job_file", "warmup", "duration", "compare", "changes");
        root.text("description");
        MachineProfile machine = MachineFile.read(loading, root.reference("machine", FileKind.MACHINE), "machine");
        long warmupNs = root.plainTimeNs("warmup", 0, MAX_NS);
        long durationNs = root.plainTimeNs("duration", 1_000, MAX_NS);
        List<PlacedText> compare = root.texts("compare");
        List<PolicyChange> changes = root.optionalList("changes").stream()
                .map(ScenarioCatalog::change)
                .toList();
        SourceFile jobSource = root.reference("job_file", FileKind.JOB_FILE);
        loading.checkSettings();

        FioJobFile jobs = jobs(jobFile == null ? jobSource : SourceFile.User.of(jobFile));
        var notes = new ArrayList<String>(jobs.notes());
        noteOtherTime(notes, "ramp_time", jobs.jobs(), job -> job.extent().rampTimeNs(), warmupNs, "warm-up");
        noteOtherTime(notes, "runtime", jobs.jobs(), job -> job.extent().runtimeNs(), durationNs, "duration");
        for (PolicyChange change : changes) {
            notes.add(
                    change.atNs() < warmupNs + durationNs
                            ? "changes " + change + ", in the stacks that have it"
                            : "the change %s is not made: the run ends at %s"
                                    .formatted(change, Unit.formatTime(warmupNs + durationNs)));
        }
        return new Scenario(
                file.stem(),
                machine,
                jobs.jobs(),
                warmupNs,
                durationNs,
                compare,
                changes,
                reliedOn(loading.values(), jobs.jobs()),
                notes);
    }

    private static PolicyChange change(Section item) {
        item.only("at", "policy", "set");
        return new PolicyChange(
                item.plainTimeNs("at", 0, 2 * MAX_NS), item.text("policy"), item.scalars("set"), item.placeOf("set"));
    }

    private static FioJobFile jobs(SourceFile file) {
        try {
            return file instanceof SourceFile.User user
                    ? FioJobFile.load(user.path())
                    : FioJobFile.parse(file.displayName(), file.text());
        } catch (FioSyntaxException e) {
            throw new InvalidInputException(requireNonNull(e.getMessage()));
        }
    }

    private static void noteOtherTime(
            List<String> notes,
            String option,
            List<JobSpec> jobs,
            ToLongFunction<JobSpec> timeNs,
            long usedNs,
            String use) {
        Set<Long> others = new TreeSet<>();
        for (JobSpec job : jobs) {
            long given = timeNs.applyAsLong(job);
            if (given != 0 && given != usedNs) {
                others.add(given);
            }
        }
        if (!others.isEmpty()) {
            notes.add("the job file's %s of %s is not used: the %s is %s"
                    .formatted(
                            option,
                            String.join(
                                    ", ", others.stream().map(Unit::formatTime).toList()),
                            use,
                            Unit.formatTime(usedNs)));
        }
    }

    /** Leaves out the costs of I/O engines that no job uses. */
    private static List<ProfileValue> reliedOn(List<ProfileValue> values, List<JobSpec> jobs) {
        Set<IoEngine> unused = EnumSet.allOf(IoEngine.class);
        jobs.forEach(job -> unused.remove(job.engine()));
        List<String> prefixes = unused.stream()
                .map(engine -> "machine.costs.engines." + engine.fioName() + ".")
                .toList();
        return values.stream()
                .filter(value -> prefixes.stream().noneMatch(value.name()::startsWith))
                .toList();
    }
}
