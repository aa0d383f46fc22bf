package io.irqlab.model.workload;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.Multimaps;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** {@code docs/fio-options.md} says what the option table says; {@code -Dgolden.update} writes its tables anew. */
final class FioOptionsPageTest {
    private static final Path PAGE = Path.of("..", "docs", "fio-options.md");

    @Test
    void thePageAndTheTableAgree() throws IOException {
        String page = Files.readString(PAGE);
        String expected = page;
        expected = withTable(expected, "honoured", honoured());
        expected = withTable(expected, "noted", noted());
        expected = withTable(expected, "refused", refused());
        expected = withTable(expected, "command", commandLine());
        if (System.getProperty("golden.update") != null) {
            Files.writeString(PAGE, expected);
            return;
        }
        assertThat(page).as("docs/fio-options.md; -Dgolden.update writes it").isEqualTo(expected);
    }

    @Test
    void noNameStandsTwiceInTheTable() {
        var seen = new HashSet<String>();
        for (FioOption option : FioOptions.ALL) {
            assertThat(seen.add(option.name())).as(option.name()).isTrue();
            option.aliases()
                    .forEach(alias -> assertThat(seen.add(alias)).as(alias).isTrue());
        }
        assertThat(seen).hasSizeGreaterThan(250);
    }

    private static String withTable(String page, String name, String table) {
        String begin = "<!-- table:" + name + " -->\n";
        String end = "<!-- end -->";
        int from = page.indexOf(begin) + begin.length();
        assertThat(page).contains(begin);
        return page.substring(0, from) + table + page.substring(page.indexOf(end, from));
    }

    private static String honoured() {
        return "| option | value | default | meaning |\n|---|---|---|---|\n"
                + HonouredOptions.ALL.stream()
                        .map(each -> "| %s | %s | %s | %s |\n"
                                .formatted(names(each), each.kind().expected(), each.defaultText(), each.meaning()))
                        .collect(Collectors.joining());
    }

    private static String noted() {
        ImmutableListMultimap<String, FioOption.Noted> byReason =
                Multimaps.index(NotedOptions.ALL, FioOption.Noted::reason);
        return "| why | options |\n|---|---|\n"
                + rows(byReason.keySet().stream()
                        .map(reason -> List.of(
                                reason,
                                byReason.get(reason).stream()
                                        .map(FioOptionsPageTest::names)
                                        .collect(Collectors.joining(", "))))
                        .toList());
    }

    private static String refused() {
        ImmutableListMultimap<String, FioOption.Refused> byReason =
                Multimaps.index(RefusedOptions.ALL, FioOption.Refused::reason);
        return "| why | options, with the value that is accepted |\n|---|---|\n"
                + rows(byReason.keySet().stream()
                        .map(reason -> List.of(
                                reason,
                                byReason.get(reason).stream()
                                        .map(each -> each.neutral() == null
                                                ? names(each)
                                                : names(each) + " (" + each.neutral() + ")")
                                        .collect(Collectors.joining(", "))))
                        .toList());
    }

    private static String commandLine() {
        return "| | options |\n|---|---|\n"
                + rows(List.of(
                        List.of("noted", dashed(CommandLineArguments.NOTED_WITH_VALUE)),
                        List.of("noted, without a value", dashed(CommandLineArguments.NOTED_FLAGS)),
                        List.of("refused", dashed(CommandLineArguments.REFUSED))));
    }

    private static String dashed(Collection<String> names) {
        return names.stream().map(name -> "`--" + name + "`").collect(Collectors.joining(", "));
    }

    private static String rows(List<List<String>> rows) {
        return rows.stream().map(row -> "| " + String.join(" | ", row) + " |\n").collect(Collectors.joining());
    }

    private static String names(FioOption option) {
        String aliases =
                option.aliases().stream().map(alias -> ", `" + alias + "`").collect(Collectors.joining());
        return "`" + option.name() + "`" + aliases;
    }
}
