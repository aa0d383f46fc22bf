package io.irqlab.model.workload;

import static io.irqlab.model.workload.FioSyntaxException.quote;

import com.google.common.collect.ImmutableList;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** One option of the job-file language, as a row of a table. */
sealed interface FioOption {

    /** Returns fio's main name for it. */
    String name();

    /** Returns fio's other names for it. */
    ImmutableList<String> aliases();

    /** Does what the option asks for in a section. */
    void apply(Assignment written, OptionValues values, Notes notes);

    /**
     * An option that the model follows.
     *
     * @param name fio's main name for it
     * @param aliases fio's other names for it
     * @param slot what it sets
     * @param kind what its value looks like
     * @param defaultText what holds without it, in words
     * @param meaning what it does, in words
     * @param <T> type of the value
     */
    record Honoured<T>(
            String name,
            ImmutableList<String> aliases,
            Slot<T> slot,
            ValueKind<T> kind,
            String defaultText,
            String meaning)
            implements FioOption {
        private static final Pattern KEYWORD = Pattern.compile("\\$(pagesize|mb_memory|ncpus)\\b");

        @Override
        public void apply(Assignment written, OptionValues values, Notes notes) {
            String text = written.value() == null ? kind.plain() : written.value();
            if (text.isEmpty()) {
                throw written.fault("a value is missing; expected " + kind.expected());
            }
            refuseVariables(written, text);
            T value = kind.parser().parse(written, text, values.get(HonouredOptions.KB_BASE));
            values.put(slot, value, name, written);
        }

        private static void refuseVariables(Assignment written, String text) {
            if (text.contains("${")) {
                throw written.fault(quote(text)
                        + " takes its value from the environment, which would make the result depend on it; write the"
                        + " value");
            }
            if (KEYWORD.matcher(text).find()) {
                throw written.fault(quote(text)
                        + " takes its value from the host that runs fio, which this is not; write the value");
            }
        }
    }

    /**
     * An option that cannot matter to the model.
     *
     * @param name fio's main name for it
     * @param aliases fio's other names for it
     * @param reason why it does not matter
     */
    record Noted(String name, ImmutableList<String> aliases, String reason) implements FioOption {
        @Override
        public void apply(Assignment written, OptionValues values, Notes notes) {
            notes.add(written.place(), name, "no effect: " + reason);
        }
    }

    /**
     * An option that would matter, and that the model has nothing for.
     *
     * @param name fio's main name for it
     * @param aliases fio's other names for it
     * @param neutral the one value that asks for nothing, and is accepted for that; null if there is none
     * @param reason why it is refused, and what to do instead
     */
    record Refused(
            String name,
            ImmutableList<String> aliases,
            @Nullable String neutral,
            String reason) implements FioOption {
        @Override
        public void apply(Assignment written, OptionValues values, Notes notes) {
            if (neutral == null) {
                throw written.fault("not supported: " + reason);
            }
            if (!neutral.equals(written.value())) {
                throw written.fault("not supported, except as " + name + "=" + neutral + ": " + reason);
            }
        }
    }
}
