package io.irqlab.model.workload;

import com.google.common.collect.ImmutableList;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** A fio job file, or a fio command line, as jobs for the model. Immutable. */
public final class FioJobFile {
    /** The most that a job file may hold: 1 MiB of UTF-8, far above any that a person writes. */
    public static final int LIMIT_BYTES = 1 << 20;

    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private final String fileName;
    private final ImmutableList<JobSpec> jobs;
    private final ImmutableList<String> notes;

    private FioJobFile(String fileName, List<JobSpec> jobs, Notes notes) {
        this.fileName = fileName;
        this.jobs = ImmutableList.copyOf(jobs);
        this.notes = notes.lines();
    }

    /**
     * Reads a job file.
     *
     * @param path the file
     * @return its jobs
     * @throws FioSyntaxException if it cannot be read, is no job file, or asks for something that the model has not
     */
    public static FioJobFile load(Path path) {
        String fileName = path.toString();
        return parse(fileName, decode(fileName, read(path)));
    }

    /**
     * Parses the text of a job file.
     *
     * @param fileName its name, for messages
     * @param text its content
     * @return its jobs
     * @throws FioSyntaxException if it is no job file, or asks for something that the model has not
     */
    public static FioJobFile parse(String fileName, String text) {
        if (text.length() > LIMIT_BYTES) {
            throw tooLong(fileName);
        }
        int nul = text.indexOf('\0');
        if (nul >= 0) {
            throw new FioSyntaxException(
                    fileName + ":" + lineOf(text.substring(0, nul)),
                    "a NUL byte; expected a fio job file, which is text");
        }
        String content = text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
        List<Section> sections = JobFileLines.sections(fileName, content);
        var notes = new Notes();
        List<JobSpec> jobs = JobAssembler.jobs(sections, notes);
        if (jobs.isEmpty()) {
            String found = sections.isEmpty() ? "no section in the file" : "only sections that begin with 'global'";
            throw new FioSyntaxException(
                    fileName + ":1", found + "; expected a job's [name] and options such as filename=/dev/nvme0n1");
        }
        return new FioJobFile(fileName, jobs, notes);
    }

    /**
     * Parses the arguments of a fio command line, such as {@code --name=a --filename=/dev/nvme0n1 --rw=randread}.
     *
     * @param arguments the arguments, without shell quotes; the first may be {@code fio} itself
     * @return its jobs
     * @throws FioSyntaxException if it has no job, or asks for something that the model has not
     */
    public static FioJobFile parseCommandLine(List<String> arguments) {
        var notes = new Notes();
        List<JobSpec> jobs = JobAssembler.jobs(CommandLineArguments.sections(arguments, notes), notes);
        if (jobs.isEmpty()) {
            throw new FioSyntaxException(
                    CommandLineArguments.PLACE,
                    "no job; expected --name=JOB and options such as --filename=/dev/nvme0n1");
        }
        return new FioJobFile(CommandLineArguments.PLACE, jobs, notes);
    }

    /**
     * Returns the name of the file.
     *
     * @return the name, for messages
     */
    public String fileName() {
        return fileName;
    }

    /**
     * Returns the jobs.
     *
     * @return one for each section that is not global, in the order of the file; at least one
     */
    public List<JobSpec> jobs() {
        return jobs;
    }

    /**
     * Returns what the file says and the model does not follow, though fio would: options that cannot matter here, and
     * values that fio corrects as well.
     *
     * @return printable lines such as {@code my.fio:4: randrepeat: no effect: ...}, each thing once
     */
    public List<String> notes() {
        return notes;
    }

    private static byte[] read(Path path) {
        if (Files.isDirectory(path)) {
            throw new FioSyntaxException(path.toString(), "a directory; expected a fio job file");
        }
        try (InputStream in = Files.newInputStream(path)) {
            return in.readNBytes(LIMIT_BYTES + 1);
        } catch (NoSuchFileException e) {
            throw withCause(new FioSyntaxException(path.toString(), "no such file; expected a fio job file"), e);
        } catch (IOException e) {
            throw withCause(new FioSyntaxException(path.toString(), "cannot be read: " + e.getMessage()), e);
        }
    }

    private static String decode(String fileName, byte[] bytes) {
        if (bytes.length > LIMIT_BYTES) {
            throw tooLong(fileName);
        }
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer out = CharBuffer.allocate(bytes.length);
        try {
            var result = decoder.decode(in, out, true);
            if (result.isError()) {
                result.throwException();
            }
        } catch (CharacterCodingException e) {
            String place = fileName + ":" + lineOf(out.flip().toString());
            throw withCause(
                    new FioSyntaxException(place, "a byte that is not UTF-8; expected a fio job file, which is text"),
                    e);
        }
        return out.flip().toString();
    }

    private static FioSyntaxException tooLong(String fileName) {
        return new FioSyntaxException(fileName, "longer than 1 MiB; expected a fio job file");
    }

    private static FioSyntaxException withCause(FioSyntaxException exception, Exception cause) {
        exception.initCause(cause);
        return exception;
    }

    /** Returns the number of the line in which a text ends. */
    private static long lineOf(String textBefore) {
        return (textBefore + "x").lines().count();
    }
}
