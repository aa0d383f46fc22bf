package io.irqlab.model.workload;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;

/** Short ways to parse, for the tests of this package. */
final class FioTexts {
    /** Enough for a job without a note. */
    static final String PLAIN_JOB = "[a]\nfilename=/dev/nvme0n1\ndirect=1\nioengine=libaio\n";

    private FioTexts() {}

    static FioJobFile parse(String text) {
        return FioJobFile.parse("my.fio", text);
    }

    /** Returns the one job of a file. */
    static JobSpec job(String text) {
        List<JobSpec> jobs = parse(text).jobs();
        if (jobs.size() != 1) {
            throw new AssertionError("one job expected: " + jobs);
        }
        return jobs.get(0);
    }

    /** Returns a plain job with some more lines, the first of which is line 5. */
    static JobSpec jobWith(String... lines) {
        return job(PLAIN_JOB + String.join("\n", lines));
    }

    /** Returns the notes on a plain job with some more lines, the first of which is line 5. */
    static List<String> notesOn(String... lines) {
        return parse(PLAIN_JOB + String.join("\n", lines)).notes();
    }

    /** Returns what is said of a file that is refused. */
    static String faultOf(String text) {
        return messageOf(() -> parse(text));
    }

    /** Returns what is said of a plain job with some more lines, the first of which is line 5. */
    static String faultWith(String... lines) {
        return faultOf(PLAIN_JOB + String.join("\n", lines));
    }

    static String messageOf(Runnable refused) {
        FioSyntaxException fault = catchThrowableOfType(FioSyntaxException.class, refused::run);
        if (fault == null) {
            throw new AssertionError("accepted");
        }
        return fault.getMessage();
    }
}
