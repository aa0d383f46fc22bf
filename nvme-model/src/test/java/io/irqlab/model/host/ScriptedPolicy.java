package io.irqlab.model.host;

import io.irqlab.core.spi.CompletionSource;
import io.irqlab.core.spi.DriverPolicy;
import io.irqlab.core.spi.PolicyCpu;
import io.irqlab.core.spi.QueuePolicy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;

/** A driver policy that answers as written, then as the stock driver does, and notes every question. */
final class ScriptedPolicy implements DriverPolicy, QueuePolicy {
    /** What it was asked: where, and how many completions had been reaped since the last question. */
    record Question(String context, int reaped, long atNs) {}

    final List<Question> questions = new ArrayList<>();
    final List<CompletionSource> sources = new ArrayList<>();
    private final ArrayDeque<Next> inHardirq = new ArrayDeque<>();
    private final ArrayDeque<Next> inThread = new ArrayDeque<>();
    private BiConsumer<Question, PolicyCpu> onQuestion = (question, cpu) -> {};
    private LongSupplier clock = () -> 0;
    int budget = 1;
    long sleepMinNs;
    long sleepMaxNs;

    ScriptedPolicy hardirq(Next... answers) {
        inHardirq.addAll(Arrays.asList(answers));
        return this;
    }

    ScriptedPolicy thread(Next... answers) {
        inThread.addAll(Arrays.asList(answers));
        return this;
    }

    ScriptedPolicy budget(int completions) {
        budget = completions;
        return this;
    }

    ScriptedPolicy sleep(long minNs, long maxNs) {
        sleepMinNs = minNs;
        sleepMaxNs = maxNs;
        return this;
    }

    ScriptedPolicy doing(BiConsumer<Question, PolicyCpu> action) {
        onQuestion = action;
        return this;
    }

    ScriptedPolicy clock(LongSupplier nowNs) {
        clock = nowNs;
        return this;
    }

    List<Integer> reapedIn(String context) {
        return questions.stream()
                .filter(question -> question.context().equals(context))
                .map(Question::reaped)
                .toList();
    }

    List<Long> timesIn(String context) {
        return questions.stream()
                .filter(question -> question.context().equals(context))
                .map(Question::atNs)
                .toList();
    }

    @Override
    public QueuePolicy forQueue(CompletionSource source) {
        sources.add(source);
        return this;
    }

    private Next answer(String context, PolicyCpu cpu, int reaped, ArrayDeque<Next> script) {
        var question = new Question(context, reaped, clock.getAsLong());
        questions.add(question);
        onQuestion.accept(question, cpu);
        Next scripted = script.poll();
        if (scripted != null) {
            return scripted;
        }
        return reaped < 0 ? Next.REAP_ALL : Next.RETURN;
    }

    @Override
    public Next inHardirq(PolicyCpu cpu, int reaped) {
        return answer("hardirq", cpu, reaped, inHardirq);
    }

    @Override
    public Next inThread(PolicyCpu cpu, int reaped) {
        return answer("thread", cpu, reaped, inThread);
    }

    @Override
    public int budget() {
        return budget;
    }

    @Override
    public long sleepMinNs() {
        return sleepMinNs;
    }

    @Override
    public long sleepMaxNs() {
        return sleepMaxNs;
    }
}
