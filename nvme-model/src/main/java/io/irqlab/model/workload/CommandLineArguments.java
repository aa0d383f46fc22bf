package io.irqlab.model.workload;

import static io.irqlab.model.workload.FioSyntaxException.quote;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Takes the arguments of a fio command line apart into sections and assignments. As in fio, {@code --name} begins a job,
 * and what stands before the first one is global.
 */
final class CommandLineArguments {
    static final String PLACE = "fio command line";

    /** Options of the fio command, not of jobs, that only change its output. They take a value. */
    static final ImmutableSet<String> NOTED_WITH_VALUE = ImmutableSet.of(
            "output",
            "output-format",
            "eta",
            "eta-interval",
            "eta-newline",
            "status-interval",
            "terse-version",
            "max-jobs",
            "alloc-size",
            "debug");

    /** The same, without a value. */
    static final ImmutableSet<String> NOTED_FLAGS = ImmutableSet.of(
            "minimal", "append-terse", "bandwidth-log", "latency-log", "readonly", "warnings-fatal", "idle-prof");

    /** Options of the fio command that make it do something else than run jobs here and now. */
    static final ImmutableSet<String> REFUSED = ImmutableSet.of(
            "section",
            "client",
            "server",
            "daemonize",
            "remote-config",
            "showcmd",
            "parse-only",
            "cmdhelp",
            "enghelp",
            "help",
            "version",
            "crctest",
            "cpuclock-test",
            "trigger-file",
            "trigger-timeout",
            "trigger",
            "trigger-remote",
            "aux-path",
            "merge-blktrace-only");

    private final List<String> arguments;
    private final Notes notes;
    private final List<Section> sections = new ArrayList<>();
    private final List<Assignment> assignments = new ArrayList<>();
    private String name = "global";
    private String namePlace = PLACE;
    private int next;

    private CommandLineArguments(List<String> arguments, Notes notes) {
        this.arguments = arguments;
        this.notes = notes;
    }

    /** Returns the sections of a command line, in order. */
    static ImmutableList<Section> sections(List<String> arguments, Notes notes) {
        var all = new CommandLineArguments(arguments, notes);
        if (!arguments.isEmpty()
                && (arguments.get(0).equals("fio") || arguments.get(0).endsWith("/fio"))) {
            all.next++;
        }
        while (all.next < arguments.size()) {
            all.read();
        }
        all.finishSection();
        return ImmutableList.copyOf(all.sections);
    }

    private void read() {
        String argument = arguments.get(next).strip();
        next++;
        String place = PLACE + ", argument " + next;
        int dashes = argument.startsWith("--") ? 2 : argument.startsWith("-") ? 1 : 0;
        int equals = argument.indexOf('=', dashes);
        String option = argument.substring(dashes, equals < 0 ? argument.length() : equals)
                .strip();
        if (dashes == 0 || option.isEmpty()) {
            throw new FioSyntaxException(
                    place,
                    quote(argument) + " is not an option; expected --name=JOB and options such as --rw=randread");
        }
        @Nullable
        String value = equals < 0
                ? separateValue(option)
                : argument.substring(equals + 1).strip();
        add(new Assignment(option, value, place));
    }

    private void add(Assignment written) {
        if (written.option().equals("name")) {
            if (written.value() == null || written.value().isEmpty()) {
                throw written.fault("a value is missing; expected --name=JOB");
            }
            finishSection();
            name = written.value();
            namePlace = written.place();
        } else if (NOTED_WITH_VALUE.contains(written.option()) || NOTED_FLAGS.contains(written.option())) {
            notes.add(written.place(), written.option(), "no effect: reports are irqlab's own");
        } else if (REFUSED.contains(written.option())) {
            throw written.fault("not supported: an option of the fio command and not of its jobs");
        } else {
            assignments.add(written);
        }
    }

    /** Returns the argument after an option written as {@code --rw randread}, if that is how it is written. */
    private @Nullable String separateValue(String option) {
        boolean takesValue = !NOTED_FLAGS.contains(option) && !FioOptions.standsAlone(option);
        if (!takesValue || next >= arguments.size() || arguments.get(next).startsWith("-")) {
            return null;
        }
        next++;
        return arguments.get(next - 1).strip();
    }

    private void finishSection() {
        sections.add(new Section(name, namePlace, assignments));
        assignments.clear();
    }
}
