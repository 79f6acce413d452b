package io.weir.why;

import io.weir.procfs.CpuTimes;
import io.weir.procfs.Procfs;
import io.weir.procfs.ThreadTimes;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Looks at a JVM on this machine for a while. It changes nothing there: it asks for stacks as
 * {@code jcmd} does, and reads the kernel's files.
 *
 * <p><b>Threads:</b> one runs it, any may {@link #cancel} it. <b>Failure:</b> {@link WhyException}
 * if nothing could be seen; if the process ends meanwhile, the observation is what was seen until
 * then.
 */
public final class Watch {

  /** The longest look. */
  public static final Duration MOST = Duration.ofHours(1);

  /** The shortest look that can say something. */
  public static final Duration LEAST = Duration.ofSeconds(5);

  private static final int MOST_THREADS = 64;
  private static final long SAMPLE_NANOS = 1_000_000_000;
  private static final long STEP_NANOS = 100_000_000;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double NANOS_PER_MILLI = 1e6;

  private final long pid;
  private final Duration length;
  private final Procfs kernel;
  private final Procfs process;
  private final NanoClock clock;
  private final Map<Long, ThreadTimes> processor = new HashMap<>(); // of the thread that runs it
  private volatile boolean cancelled;

  /**
   * Prepares it.
   *
   * @param pid of the process
   * @param length how long to look
   */
  public Watch(long pid, Duration length, Procfs kernel, NanoClock clock) {
    if (length.compareTo(LEAST) < 0 || length.compareTo(MOST) > 0) {
      throw new IllegalArgumentException(
          "--for must be from %d s to %d s: %s s"
              .formatted(LEAST.toSeconds(), MOST.toSeconds(), length.toMillis() / 1e3));
    }
    this.pid = pid;
    this.length = length;
    this.kernel = kernel;
    this.process = kernel.of(pid);
    this.clock = clock;
  }

  /** Ends the look early; what was seen until then is the observation. */
  public void cancel() {
    cancelled = true;
  }

  /** Whether it was cancelled. */
  public boolean isCancelled() {
    return cancelled;
  }

  /** Attaches, looks, and says what was seen. */
  public Observation run() throws WhyException {
    AttachedJvm jvm = AttachedJvm.to(pid, process);
    long ownTicks = kernel.selfTicks().orElse(0);
    String version = version(jvm);
    IndexFiles index = new IndexFiles(pid, process);
    KernelWatch system = new KernelWatch(process, index.directories().stream().findFirst());
    long start = clock.nanoTime();
    StackWatch stacks = new StackWatch(start);
    String ending = look(jvm, stacks, system, start);
    stacks.end();
    double seconds = (clock.nanoTime() - start) / NANOS_PER_SECOND;
    if (stacks.looks() == 0 && !cancelled) {
      throw new WhyException("process %d gave no stacks: %s".formatted(pid, ending));
    }
    Map<Fact, Double> facts = new LinkedHashMap<>(stacks.facts());
    facts.putAll(system.facts());
    waitForProcessor().ifPresent(share -> facts.put(Fact.CPU_WAIT, share));
    List<String> unseen = new ArrayList<>();
    if (!ending.isEmpty()) {
      unseen.add(ending);
    }
    if (process.isAlive()) {
      facts.putAll(index.facts());
    } else {
      unseen.add("The index on disk at the end: the process had ended.");
    }
    unseen.addAll(index.unseen());
    unseen.addAll(system.unseen());
    unseen.add(
        "Which thread held a handshake up, and the length of each collection: only a flight recording"
            + " says that, and it would leave two threads in the JVM.");
    unseen.add("Times of single refreshes and searches: only their shares are sampled.");
    Map<String, String> about = new LinkedHashMap<>();
    about.put("process", Long.toString(pid));
    about.put("looked for", "%.1f s".formatted(seconds));
    about.put("Java", version);
    index.libraries().forEach(about::put);
    about.putAll(system.about());
    return new Observation(
        facts,
        stacks.tally().stacks(stacks.refreshNanos()),
        system.series(),
        about,
        unseen,
        cost(stacks, seconds, kernel.selfTicks().orElse(0) - ownTicks));
  }

  /** Until the time is over; why it ended before that, or nothing. */
  private String look(AttachedJvm jvm, StackWatch stacks, KernelWatch system, long start) {
    long end = start + length.toNanos();
    long nextSample = start;
    long sampledAt = start;
    long refreshBefore = 0;
    while (!cancelled && clock.nanoTime() < end) {
      long now = clock.nanoTime();
      if (now >= nextSample) {
        double share =
            now == sampledAt
                ? Double.NaN
                : Math.min(1, (double) (stacks.refreshNanos() - refreshBefore) / (now - sampledAt));
        system.sample(now, share, stacks.mergesRunning());
        refreshBefore = stacks.refreshNanos();
        sampledAt = now;
        nextSample = now + SAMPLE_NANOS;
        if (!process.isAlive()) {
          return ended(now - start);
        }
      }
      if (now >= stacks.nextDueNanos()) {
        stacks.askAboutMerges(process::waitsForDisk);
        long from = clock.nanoTime();
        try {
          String text = jvm.command("Thread.print", () -> cancelled);
          stacks.add(from, clock.nanoTime(), ThreadDump.parse(text));
          noteProcessor(stacks.refreshThreads());
        } catch (IOException e) {
          if (cancelled) {
            break;
          }
          return process.isAlive()
              ? "The end of the time: after %.1f s the JVM gave no stacks: %s."
                  .formatted((from - start) / NANOS_PER_SECOND, e.getMessage())
              : ended(from - start);
        }
        continue;
      }
      long wake = Math.min(Math.min(stacks.nextDueNanos(), nextSample), now + STEP_NANOS);
      clock.parkNanos(this, Math.min(wake, end) - now);
    }
    return cancelled
        ? "The end of the time: the look was interrupted after %.1f s."
            .formatted((clock.nanoTime() - start) / NANOS_PER_SECOND)
        : "";
  }

  /** What threads had of the processors when they were first seen in a refresh. */
  private void noteProcessor(List<Long> threads) {
    for (long thread : threads) {
      if (!processor.containsKey(thread) && processor.size() < MOST_THREADS) {
        process.threadTimes(thread).ifPresent(times -> processor.put(thread, times));
      }
    }
  }

  /** The share of the time since then in which they were ready and did not run, in percent. */
  private Optional<Double> waitForProcessor() {
    long waited = 0;
    long ran = 0;
    for (Map.Entry<Long, ThreadTimes> first : processor.entrySet()) {
      Optional<ThreadTimes> now = process.threadTimes(first.getKey());
      if (now.isPresent()) {
        waited += now.get().waitedNanos() - first.getValue().waitedNanos();
        ran += now.get().ranNanos() - first.getValue().ranNanos();
      }
    }
    return waited + ran <= 0 ? Optional.empty() : Optional.of(100.0 * waited / (waited + ran));
  }

  private static String ended(long nanos) {
    return "The end of the time: the process ended after %.1f s."
        .formatted(nanos / NANOS_PER_SECOND);
  }

  /** The first line says the virtual machine, the second the JDK. */
  private String version(AttachedJvm jvm) throws WhyException {
    try {
      return jvm.command("VM.version", () -> cancelled).strip().replaceAll("\\s*\\R\\s*", ", ");
    } catch (IOException e) {
      if (cancelled) {
        return "not asked";
      }
      throw new WhyException(
          "process %d does not answer as a JVM does: %s".formatted(pid, e.getMessage()), e);
    }
  }

  private static List<String> cost(StackWatch stacks, double seconds, long ownTicks) {
    double stopped = stacks.costNanos() / NANOS_PER_MILLI;
    List<String> cost = new ArrayList<>();
    cost.add(
        "%d looks at all stacks; the JVM stood still for at most %.0f ms of %.1f s, %.2f %%"
            .formatted(stacks.looks(), stopped, seconds, stopped / 10 / seconds));
    if (ownTicks > 0) {
      cost.add(
          "weir itself took %.1f s of a processor, its own start included"
              .formatted(ownTicks * (double) CpuTimes.TICK_NANOS / NANOS_PER_SECOND));
    }
    cost.add(
        "the JVM keeps its thread Attach Listener and its socket .java_pid until it ends, as after any"
            + " jcmd; nothing else stays");
    return cost;
  }
}
