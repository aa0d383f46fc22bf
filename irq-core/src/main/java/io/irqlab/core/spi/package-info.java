/**
 * The policy SPI: what an interrupt-moderation policy is, what it may see and do, and how it is found. A policy can be
 * written from this page and the types that it names; irqlab's own policies use nothing else.
 *
 * <h2>What there is to write</h2>
 *
 * <p>A {@link io.irqlab.core.spi.PolicyProvider} names the policy, declares its {@link io.irqlab.core.spi.Parameter}s, says
 * which hooks it claims, and creates it. It is a public class with a public constructor without arguments, found through
 * {@link java.util.ServiceLoader}. What it creates depends on its {@link io.irqlab.core.spi.PolicyLayer}:
 *
 * <table>
 * <caption>Layers and their hooks</caption>
 * <tr><th>layer</th><th>create returns</th><th>and is called</th></tr>
 * <tr><td>DEVICE</td><td>a {@link io.irqlab.core.spi.Policy}</td><td>at the start; later by timers of its own. It acts on the
 * devices of its {@link io.irqlab.core.spi.PolicyContext}</td></tr>
 * <tr><td>PLATFORM</td><td>a {@link io.irqlab.core.spi.PlatformPolicy}</td><td>when a message reaches a CPU, and
 * by the notification's handler ({@link io.irqlab.core.spi.DeliveryPolicy})</td></tr>
 * <tr><td>FLOW</td><td>a {@link io.irqlab.core.spi.FlowPolicy}</td><td>after every handled interrupt of every CPU</td></tr>
 * <tr><td>DRIVER</td><td>a {@link io.irqlab.core.spi.DriverPolicy}</td><td>by the handlers of every completion queue, after
 * each thing done ({@link io.irqlab.core.spi.QueuePolicy})</td></tr>
 * </table>
 *
 * <h2>An example</h2>
 *
 * <p>After an interrupt of a CPU, its line stays off for a fixed time; lines that are handled meanwhile join the window.
 *
 * <pre>{@code
 * public final class PauseProvider implements PolicyProvider {
 *     private static final Parameter PAUSE_US =
 *             new Parameter("pause_us", "us", 1, 500, 50, true, "How long lines stay off.");
 *
 *     public String name() { return "pause"; }
 *     public PolicyLayer layer() { return PolicyLayer.FLOW; }
 *     public String summary() { return "Keeps the lines of a CPU off after an interrupt."; }
 *     public List<Parameter> parameters() { return List.of(PAUSE_US); }
 *     public Policy create(PolicyContext context) { return new Pause(context); }
 *
 *     private static final class Pause implements FlowPolicy {
 *         private final List<PolicyTimer> timers = new ArrayList<>();
 *         private final List<List<IrqLine>> off = new ArrayList<>();
 *         private long pauseNs;
 *
 *         Pause(PolicyContext context) {
 *             pauseNs = context.settings().get(PAUSE_US) * 1_000;
 *             for (int cpu = 0; cpu < context.cpus(); cpu++) {
 *                 List<IrqLine> lines = new ArrayList<>();
 *                 off.add(lines);
 *                 timers.add(context.timer(cpu, 2_000, running -> {
 *                     lines.forEach(line -> line.unmoderate(running));
 *                     lines.clear();
 *                 }));
 *             }
 *         }
 *
 *         public boolean onHandled(IrqLine line, PolicyCpu cpu) {
 *             off.get(cpu.number()).add(line);
 *             line.moderate(cpu);
 *             if (!timers.get(cpu.number()).queued()) {
 *                 timers.get(cpu.number()).arm(cpu, pauseNs);
 *             }
 *             return true;
 *         }
 *
 *         public void settingsChanged(PolicySettings settings, PolicyCpu cpu) {
 *             pauseNs = settings.get(PAUSE_US) * 1_000;
 *         }
 *     }
 * }
 * }</pre>
 *
 * <h2>Life cycle</h2>
 *
 * <ol>
 *   <li>A user's text becomes a {@link io.irqlab.core.spi.PolicyStack}. Names, ranges, the provider's own rules
 *       ({@link io.irqlab.core.spi.PolicyProvider#check}) and conflicting claims are checked before any run.
 *   <li>For each run {@link io.irqlab.core.spi.PolicyProvider#create} makes one instance for the whole machine. Timers and
 *       random streams are made here; the devices are not there yet.
 *   <li>{@link io.irqlab.core.spi.DriverPolicy#forQueue} is called once for each completion queue, as its driver is set up.
 *   <li>{@link io.irqlab.core.spi.Policy#start} is called once, at time zero, with the machine complete and idle. From here on
 *       {@link io.irqlab.core.spi.PolicyContext#devices} has the devices.
 *   <li>The hooks and timers are called in virtual time; {@link io.irqlab.core.spi.Policy#settingsChanged} if a scenario says so.
 *   <li>{@link io.irqlab.core.spi.Policy#counters} is called when the run is over.
 * </ol>
 *
 * <h2>Contexts, and what may be called from where</h2>
 *
 * <table>
 * <caption>Contexts</caption>
 * <tr><th>call</th><th>context</th><th>what it may do</th></tr>
 * <tr><td>create, forQueue, forCpu, start, counters, onMessage, withdraw</td><td>none: no CPU executes them,
 * nobody pays</td><td>keep what it is given;
 * start may send commands to devices</td></tr>
 * <tr><td>onHandled, inHardirq, timers, inNotification</td><td>hardirq: nothing else runs on the CPU meanwhile</td><td>change
 * lines, arm timers of this CPU, wake the thread, send commands; never sleep</td></tr>
 * <tr><td>inPoll</td><td>softirq: only hardirqs interrupt it, and it may be ksoftirqd's</td><td>the same, but
 * not wake the thread</td></tr>
 * <tr><td>inThread</td><td>a task of class fifo, priority 50, on the interrupt's CPU</td><td>what a hardirq may, but for
 * waking the thread, and sleep</td></tr>
 * <tr><td>settingsChanged, onCpuOffline, onCpuOnline, onSuspend, onResume</td><td>a task</td><td>change lines, cancel timers, send
 * commands</td></tr>
 * </table>
 *
 * <p>A call acts at one instant: the clock does not move while it lasts, and what it costs is added to the step of the CPU
 * that executes it. The {@link io.irqlab.core.spi.PolicyCpu} that a call gets is that CPU. It is good for this call, not to
 * be kept; timers are armed on their own CPU alone.
 *
 * <h2>What is charged</h2>
 *
 * <p>To the CPU that acts: reading the clock; masking and unmasking a vector, when a line's change comes to that (a disable is
 * lazy, and a write to the device follows only if another event comes); programming a timer, if it is now the first to
 * expire, and its interrupt when it expires; waking and switching to the thread; every completion reaped. To the device: the
 * time of a command. A policy charges work of its own that costs more than a few instructions, such as a walk over its state
 * or a write to a cache line that other CPUs share, with {@link io.irqlab.core.spi.PolicyCpu#spend}. Reading counters,
 * {@code pending} and {@code backlog} is free.
 *
 * <h2>Units and numbers</h2>
 *
 * <p>Times are {@code long} nanoseconds and end in {@code Ns}. Parameters are whole numbers in their own unit, which their
 * name ends with, as the kernel's do ({@code delay_us}). CPUs are numbered from 0.
 *
 * <h2>Threads and determinism</h2>
 *
 * <p>All calls of one run come from one thread; several runs may be under way in as many threads, each with an instance of its
 * own. So a policy has no static state that changes, and needs no locks. The same seed must give the same bytes: a policy
 * reads no clock but {@link io.irqlab.core.spi.PolicyCpu#readClockNs}, draws from {@link io.irqlab.core.spi.PolicyContext#random}
 * alone, starts no thread, does no input or output, and does not iterate over hash tables. What it prints goes to standard
 * error.
 *
 * <h2>When a policy fails</h2>
 *
 * <p>Whatever it throws ends the run in a {@link io.irqlab.core.spi.PolicyFailedException} that names policy, CPU, virtual time
 * and seed. So does an answer that its handler cannot carry out, a line that stays off while completions wait for it and its
 * CPU is idle, and a policy that is asked a thousand times at one instant while the clock stands still. A policy that loops
 * within one call hangs its run. Other runs of a comparison go on.
 *
 * <p>The package depends on the engine and on {@code java.base}; no Guava type stands in its signatures.
 */
@NullMarked
package io.irqlab.core.spi;

import org.jspecify.annotations.NullMarked;
