package io.irqlab.model.workload;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;

/** All options of the language, to look them up by any of their names. */
final class FioOptions {
    /** Honoured, noted and refused ones, in this order. */
    static final ImmutableList<FioOption> ALL = ImmutableList.<FioOption>builder()
            .addAll(HonouredOptions.ALL)
            .addAll(NotedOptions.ALL)
            .addAll(RefusedOptions.ALL)
            .build();

    private static final ImmutableMap<String, FioOption> BY_NAME = byName();

    private FioOptions() {}

    private static ImmutableMap<String, FioOption> byName() {
        var result = ImmutableMap.<String, FioOption>builder();
        for (FioOption option : ALL) {
            result.put(option.name(), option);
            option.aliases().forEach(alias -> result.put(alias, option));
        }
        return result.buildOrThrow();
    }

    /** Returns the option that an assignment names, or throws if there is none. */
    static FioOption of(Assignment written) {
        FioOption found = BY_NAME.get(written.option());
        if (found == null) {
            throw unknown(written);
        }
        return found;
    }

    /** Tells whether there is an option of that name. */
    static boolean known(String name) {
        return BY_NAME.containsKey(name);
    }

    /** Tells whether an option may stand without a value. */
    static boolean standsAlone(String name) {
        return BY_NAME.get(name) instanceof FioOption.Honoured<?> honoured
                && !honoured.kind().plain().isEmpty();
    }

    private static FioSyntaxException unknown(Assignment written) {
        String name = written.option();
        int blank = name.indexOf(' ') >= 0 ? name.indexOf(' ') : name.indexOf('\t');
        if (blank > 0 && known(name.substring(0, blank))) {
            String first = name.substring(0, blank);
            return new FioSyntaxException(
                    written.place(), first, "no '=' before the value; expected " + first + "=VALUE");
        }
        return written.fault("no such fio option" + ValueKind.didYouMean(name, BY_NAME.keySet()));
    }
}
