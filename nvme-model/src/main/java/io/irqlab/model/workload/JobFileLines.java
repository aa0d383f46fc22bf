package io.irqlab.model.workload;

import static io.irqlab.model.workload.FioSyntaxException.quote;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;

/** Takes the lines of a job file apart into sections and assignments, and knows nothing of what they mean. */
final class JobFileLines {
    private final List<Section> sections = new ArrayList<>();
    private final List<Assignment> assignments = new ArrayList<>();
    private String name = "";
    private String namePlace = "";

    private JobFileLines() {}

    /** Returns the sections of a file, in order. */
    static ImmutableList<Section> sections(String fileName, String text) {
        var lines = new JobFileLines();
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            lines.read(line, fileName + ":" + number);
        }
        lines.finishSection();
        return ImmutableList.copyOf(lines.sections);
    }

    private void read(String line, String place) {
        String content = withoutComment(line).strip();
        if (content.isEmpty()) {
            return;
        }
        if (content.startsWith("[")) {
            finishSection();
            name = sectionName(content, place);
            namePlace = place;
            return;
        }
        Assignment written = assignment(content, place);
        if (name.isEmpty()) {
            throw written.fault("stands before the first section; expected [global] or a job's [name] above it");
        }
        assignments.add(written);
    }

    private void finishSection() {
        if (!name.isEmpty()) {
            sections.add(new Section(name, namePlace, assignments));
            assignments.clear();
        }
    }

    /** As in fio, a comment begins at the first of the two signs, wherever that is. */
    private static String withoutComment(String line) {
        for (int i = 0; i < line.length(); i++) {
            if (line.charAt(i) == '#' || line.charAt(i) == ';') {
                return line.substring(0, i);
            }
        }
        return line;
    }

    private static String sectionName(String content, String place) {
        if (!content.endsWith("]")) {
            throw new FioSyntaxException(
                    place, "section " + quote(content) + " does not end with ']'; expected [name]");
        }
        String name = content.substring(1, content.length() - 1).strip();
        if (name.isEmpty()) {
            throw new FioSyntaxException(place, "a section without a name; expected [name]");
        }
        return name;
    }

    private static Assignment assignment(String content, String place) {
        if (content.startsWith("include ") || content.startsWith("include\t")) {
            throw new FioSyntaxException(
                    place, "include", "not supported: a job file stands alone; copy the lines of the other file here");
        }
        int equals = content.indexOf('=');
        if (equals < 0) {
            return new Assignment(content, null, place);
        }
        String option = content.substring(0, equals).strip();
        if (option.isEmpty()) {
            throw new FioSyntaxException(place, quote(content) + " has nothing before '='; expected option=value");
        }
        return new Assignment(option, content.substring(equals + 1).strip(), place);
    }
}
