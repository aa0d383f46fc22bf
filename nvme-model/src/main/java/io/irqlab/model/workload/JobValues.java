package io.irqlab.model.workload;

import static io.irqlab.model.workload.FioSyntaxException.quote;

import com.google.common.base.CharMatcher;
import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ImmutableSortedSet;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;

/** The kinds of value that only a few options have: block sizes, lists of CPUs and of files. */
final class JobValues {
    private static final int MOST_SHARES = 64;
    private static final int LAST_CPU = 4095;

    private JobValues() {}

    /** One block size, such as {@code 4k}. */
    static ValueKind<BlockSize> blockSize() {
        String expected = "a size such as 4k";
        return ValueKind.of(
                expected, (written, text, kbBase) -> BlockSize.of(sectors(written, text, kbBase, expected)));
    }

    /** The smallest and the largest, such as {@code 4k-64k}. */
    static ValueKind<BlockSize> blockRange() {
        String expected = "a range such as 4k-64k";
        return ValueKind.of(expected, (written, text, kbBase) -> {
            List<String> ends =
                    Splitter.on(CharMatcher.anyOf("-:")).trimResults().splitToList(text);
            if (ends.size() != 2) {
                throw written.fault(quote(text) + " is not a range; expected " + expected);
            }
            int one = sectors(written, ends.get(0), kbBase, expected);
            int other = sectors(written, ends.get(1), kbBase, expected);
            return new BlockSize.Range(Math.min(one, other), Math.max(one, other));
        });
    }

    /** Sizes with their shares, such as {@code 4k/60:8k/40}; what has no share gets an equal part of the rest. */
    static ValueKind<BlockSize> blockSplit() {
        String expected = "sizes with percentages such as 4k/60:8k/40";
        return ValueKind.of(expected, (written, text, kbBase) -> {
            List<String> entries = Splitter.on(':').trimResults().splitToList(text);
            if (entries.size() > MOST_SHARES) {
                throw written.fault(quote(text) + " has " + entries.size() + " sizes; expected up to " + MOST_SHARES);
            }
            List<Integer> sizes = new ArrayList<>();
            List<Integer> percents = new ArrayList<>();
            for (String entry : entries) {
                List<String> parts = Splitter.on('/').trimResults().splitToList(entry);
                if (parts.size() > 2) {
                    throw written.fault(quote(entry) + " is not a size and a percentage; expected " + expected);
                }
                sizes.add(sectors(written, parts.get(0), kbBase, expected));
                percents.add(parts.size() == 1 || parts.get(1).isEmpty() ? -1 : percent(written, parts.get(1)));
            }
            return split(written, sizes, percents);
        });
    }

    private static BlockSize split(Assignment written, List<Integer> sizes, List<Integer> percents) {
        int sum = percents.stream()
                .filter(each -> each >= 0)
                .mapToInt(each -> each)
                .sum();
        int open = (int) percents.stream().filter(each -> each < 0).count();
        if (sum > 100 || (open == 0 && sum != 100)) {
            throw written.fault("percentages add up to " + sum + "; expected 100");
        }
        var shares = ImmutableList.<BlockSize.Share>builder();
        int rest = 100 - sum;
        for (int i = 0; i < sizes.size(); i++) {
            int percent = percents.get(i);
            if (percent < 0) {
                percent = rest / open;
                rest -= percent;
                open--;
            }
            shares.add(new BlockSize.Share(sizes.get(i), percent));
        }
        return new BlockSize.Split(shares.build());
    }

    private static int percent(Assignment written, String text) {
        String number = text.endsWith("%") ? text.substring(0, text.length() - 1) : text;
        return (int) Quantity.amount(written, number, 1024, 0, 100, "a percentage from 0 to 100");
    }

    private static int sectors(Assignment written, String text, int kbBase, String expected) {
        int bytes = (int) Quantity.amount(
                written, text, kbBase, BlockSize.SECTOR_BYTES, BlockSize.LIMIT_BYTES, expected + " of 512 bytes to 1g");
        if (bytes % BlockSize.SECTOR_BYTES != 0) {
            throw written.fault(quote(text) + " is " + bytes + " bytes, which is not a multiple of 512; with kb_base="
                    + kbBase + ", 4k is " + 4 * kbBase + " bytes and 4KiB is " + 4 * (2024 - kbBase));
        }
        return bytes;
    }

    /** CPU numbers, such as {@code 0-3,8}. */
    static ValueKind<ImmutableSortedSet<Integer>> cpuList() {
        String expected = "CPUs such as 0-3,8";
        return ValueKind.of(expected, (written, text, kbBase) -> {
            var cpus = new BitSet();
            for (String part : Splitter.on(',').trimResults().split(text)) {
                List<String> ends = Splitter.on('-').trimResults().splitToList(part);
                if (ends.size() > 2) {
                    throw written.fault(quote(part) + " is not a range of CPUs; expected " + expected);
                }
                int first = cpu(written, ends.get(0), expected);
                int last = cpu(written, ends.get(ends.size() - 1), expected);
                if (first > last) {
                    throw written.fault(quote(part) + " ends before it begins; expected " + expected);
                }
                cpus.set(first, last + 1);
            }
            return cpus(cpus);
        });
    }

    private static int cpu(Assignment written, String text, String expected) {
        return (int) Quantity.amount(written, text, 1024, 0, LAST_CPU, expected + ", up to " + LAST_CPU);
    }

    /** CPU numbers as the bits of a number. */
    static ValueKind<ImmutableSortedSet<Integer>> cpuMask() {
        String expected = "a mask such as 0xff";
        return ValueKind.of(expected, (written, text, kbBase) -> {
            long mask = Quantity.amount(written, text, 1024, 1, Long.MAX_VALUE, expected);
            return cpus(BitSet.valueOf(new long[] {mask}));
        });
    }

    private static ImmutableSortedSet<Integer> cpus(BitSet bits) {
        return bits.stream().boxed().collect(ImmutableSortedSet.toImmutableSortedSet(Comparator.naturalOrder()));
    }

    /** File names with colons between; a backslash before a colon makes it part of a name. */
    static ValueKind<ImmutableList<String>> fileNames() {
        String expected = "drives such as /dev/nvme0n1:/dev/nvme1n1";
        return ValueKind.of(expected, (written, text, kbBase) -> {
            var names = ImmutableList.<String>builder();
            var name = new StringBuilder();
            for (int i = 0; i < text.length(); i++) {
                char c = text.charAt(i);
                if (c == '\\' && i + 1 < text.length() && text.charAt(i + 1) == ':') {
                    name.append(':');
                    i++;
                } else if (c == ':') {
                    names.add(name.toString().strip());
                    name.setLength(0);
                } else {
                    name.append(c);
                }
            }
            names.add(name.toString().strip());
            ImmutableList<String> found =
                    names.build().stream().filter(each -> !each.isEmpty()).collect(ImmutableList.toImmutableList());
            if (found.isEmpty()) {
                throw written.fault(quote(text) + " names no file; expected " + expected);
            }
            return found;
        });
    }

    /** What follows a colon is how many I/Os one choice of file is good for. */
    static ValueKind<FileService> fileService() {
        ValueKind<FileSet.Service> service =
                ValueKind.choice(ValueKind.byName(FileSet.Service.class), FileService.NOT_MODELLED);
        String expected = service.expected() + ", each also with :N";
        return ValueKind.of(expected, (written, text, kbBase) -> {
            int colon = text.indexOf(':');
            String word = colon < 0 ? text : text.substring(0, colon);
            FileSet.Service found = service.parser().parse(written, word.strip(), kbBase);
            int every = colon < 0
                    ? 1
                    : (int) Quantity.amount(
                            written, text.substring(colon + 1).strip(), kbBase, 1, 1 << 30, "1 or more I/Os after ':'");
            return new FileService(found, every);
        });
    }

    /** What a job does; fio's modifier of the sequence is refused. */
    static ValueKind<IoPattern> pattern() {
        ValueKind<IoPattern> name = ValueKind.choice(
                ImmutableMap.<String, IoPattern>builder()
                        .putAll(ValueKind.byName(IoPattern.class))
                        .put("readwrite", IoPattern.RW)
                        .buildOrThrow(),
                ImmutableSet.of("trimwrite", "randtrimwrite"));
        return ValueKind.of(name.expected(), (written, text, kbBase) -> {
            int colon = text.indexOf(':');
            IoPattern found = name.parser().parse(written, colon < 0 ? text : text.substring(0, colon), kbBase);
            if (colon >= 0) {
                throw written.fault(quote(text) + " changes the sequence of offsets, which is not modelled; expected "
                        + found.fioName());
            }
            return found;
        });
    }
}
