package io.weir.why;

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
 * A JVM on this machine. It asks for stacks as {@code jcmd} does and reads the kernel's files,
 * which changes nothing there; a {@link FlightRecording} that is asked for does.
 */
final class JvmSource implements Source {

  private static final int MOST_THREADS = 64;

  /** Where the kernel lets writers wait (mm/page-writeback.c). */
  private static final String DIRTY_PAGES = "balance_dirty_pages";

  private static final long SAMPLE_NANOS = 1_000_000_000;
  private static final double NANOS_PER_MILLI = 1e6;

  private record Noted(long atNanos, ThreadTimes times) {}

  private final long pid;
  private final Procfs process;
  private final NanoClock clock;
  private final RecorderWatch recorder;
  private final Map<Long, Noted> processor = new HashMap<>(); // of the thread that looks
  private volatile boolean closed;

  // From open on.
  private AttachedJvm jvm;
  private String version;
  private IndexFiles index;
  private long indexNanos;
  private KernelWatch system;
  private StackWatch stacks;
  private LateLooks late;
  private ThreadNumbers numbers;
  private long sampledAtNanos;
  private long nextSampleNanos;
  private long refreshNanosBefore;
  private boolean writersAreAsked;
  private boolean sleepIsSeen;

  JvmSource(long pid, Procfs kernel, NanoClock clock, Optional<Duration> record) {
    this.pid = pid;
    this.process = kernel.of(pid);
    this.clock = clock;
    this.recorder = new RecorderWatch(record, clock);
  }

  @Override
  public String name() {
    return "process " + pid;
  }

  @Override
  public List<Source> open() throws WhyException {
    jvm = AttachedJvm.to(pid, process);
    version = version();
    long before = clock.nanoTime();
    index = new IndexFiles(pid, process);
    indexNanos = clock.nanoTime() - before;
    late = new LateLooks(process);
    numbers = new ThreadNumbers(pid, process);
    recorder.start(jvm);
    system = new KernelWatch(process, index.directories().stream().findFirst());
    sampledAtNanos = clock.nanoTime();
    nextSampleNanos = sampledAtNanos;
    stacks = new StackWatch(sampledAtNanos);
    return List.of();
  }

  /** The first line says the virtual machine, the second the JDK. */
  private String version() throws WhyException {
    try {
      return jvm.command("VM.version", () -> closed).strip().replaceAll("\\s*\\R\\s*", ", ");
    } catch (IOException e) {
      if (closed) {
        return "not asked";
      }
      throw new WhyException(
          "process %d does not answer as a JVM does: %s".formatted(pid, e.getMessage()), e);
    }
  }

  @Override
  public long look(long nowNanos) throws IOException {
    try {
      return lookNow(nowNanos);
    } catch (RuntimeException | Error e) {
      recorder.end(process.isAlive()); // no other call will, and its file would stay
      throw e;
    }
  }

  private long lookNow(long nowNanos) throws IOException {
    if (nowNanos >= nextSampleNanos) {
      sample(nowNanos);
      if (!process.isAlive()) {
        throw new IOException("the process ended");
      }
    }
    if (nowNanos >= stacks.nextDueNanos()) {
      stacks.askAboutMerges(thread -> process.waitOf(thread).isForDisk());
      stacks.askAboutWriters(this::waitsForDirtyPages);
      long from = clock.nanoTime();
      try {
        String text = jvm.command("Thread.print", this::isClosedWhileAwaiting);
        long to = clock.nanoTime();
        List<ThreadDump.Thread> threads = numbers.here(ThreadDump.parse(text), to);
        stacks.add(from, to, threads);
        late.add(from, threads);
      } catch (IOException e) {
        throw new IOException(
            process.isAlive() ? "the JVM gave no stacks: " + e.getMessage() : "the process ended",
            e);
      }
      noteProcessor(stacks.refreshThreads());
    }
    return Math.min(stacks.nextDueNanos(), nextSampleNanos);
  }

  private boolean isClosedWhileAwaiting() {
    late.await(clock.nanoTime());
    return closed;
  }

  private void sample(long now) {
    double share =
        now == sampledAtNanos
            ? Double.NaN
            : Math.min(
                1, (double) (stacks.refreshNanos() - refreshNanosBefore) / (now - sampledAtNanos));
    system.sample(now, share, stacks.mergesRunning());
    refreshNanosBefore = stacks.refreshNanos();
    sampledAtNanos = now;
    nextSampleNanos = now + SAMPLE_NANOS;
  }

  /** Whether the kernel holds it up since too many pages are dirty. */
  private boolean waitsForDirtyPages(long thread) {
    Optional<String> function = process.waitOf(thread).function();
    writersAreAsked = true;
    sleepIsSeen |= function.isPresent();
    return function.filter(name -> name.startsWith(DIRTY_PAGES)).isPresent();
  }

  /** What threads had of the processors when they were first seen in a refresh. */
  private void noteProcessor(List<Long> threads) {
    for (long thread : threads) {
      if (!processor.containsKey(thread) && processor.size() < MOST_THREADS) {
        process
            .threadTimes(thread)
            .ifPresent(times -> processor.put(thread, new Noted(clock.nanoTime(), times)));
      }
    }
  }

  /** How they waited for a processor since then: of what they could have run, and of refreshes. */
  private Map<Fact, Double> waitsForProcessor(double refreshPercent) {
    Map<Fact, Double> facts = new LinkedHashMap<>();
    long waited = 0;
    long ran = 0;
    double share = 0;
    for (Map.Entry<Long, Noted> first : processor.entrySet()) {
      Optional<ThreadTimes> now = process.threadTimes(first.getKey());
      long since = clock.nanoTime() - first.getValue().atNanos();
      if (now.isPresent() && since > 0) {
        ThreadTimes before = first.getValue().times();
        waited += now.get().waitedNanos() - before.waitedNanos();
        ran += now.get().ranNanos() - before.ranNanos();
        share += (double) (now.get().waitedNanos() - before.waitedNanos()) / since;
      }
    }
    if (waited + ran > 0) {
      facts.put(Fact.CPU_WAIT, 100.0 * waited / (waited + ran));
    }
    if (waited + ran > 0 && refreshPercent > 0) {
      facts.put(Fact.REFRESH_PROCESSOR, Math.min(100, 100 * 100 * share / refreshPercent));
    }
    return facts;
  }

  @Override
  public Observation seen(double seconds) {
    stacks.end();
    Map<Fact, Double> facts = new LinkedHashMap<>(stacks.facts());
    facts.putAll(late.facts());
    facts.putAll(recorder.end(process.isAlive()));
    facts.putAll(system.facts());
    facts.putAll(waitsForProcessor(facts.getOrDefault(Fact.REFRESH_SHARE, 0.0)));
    List<String> unseen = new ArrayList<>();
    if (process.isAlive()) {
      facts.putAll(index.facts());
    } else {
      unseen.add("The index on disk at the end: the process had ended.");
    }
    if (writersAreAsked && !sleepIsSeen) {
      facts.remove(Fact.DIRTY_STOPPED);
      unseen.add(
          "Whether the kernel holds writers up for dirty pages: it hides where threads sleep; root may"
              + " see it.");
    }
    unseen.addAll(index.unseen());
    unseen.addAll(system.unseen());
    unseen.addAll(recorder.unseen());
    unseen.add("Times of single refreshes and searches: only their shares are sampled.");
    Map<String, String> about = new LinkedHashMap<>();
    about.put("process", Long.toString(pid));
    about.put("Java", version);
    index.libraries().forEach(about::put);
    about.putAll(system.about());
    return new Observation(
        facts,
        stacks.tally().stacks(stacks.refreshNanos()),
        system.series(),
        about,
        unseen,
        cost(seconds));
  }

  private List<String> cost(double seconds) {
    double stopped = stacks.costNanos() / NANOS_PER_MILLI;
    List<String> cost = new ArrayList<>(recorder.cost());
    cost.addAll(
        List.of(
            "%d looks at all stacks; the JVM stood still for at most %.0f ms of %.1f s, %.2f %%"
                .formatted(stacks.looks(), stopped, seconds, stopped / 10 / seconds),
            // The kernel holds the lock of the mappings while it counts the pages: 7 ms a GB.
            "which files it maps was read once, in %.0f ms; while the kernel looks at one, none is mapped or"
                    .formatted(indexNanos / NANOS_PER_MILLI)
                + " unmapped",
            "the JVM keeps its thread Attach Listener and its socket .java_pid until it ends, as after any"
                + " jcmd"
                + (recorder.isAsked() ? "" : "; nothing else stays")));
    return cost;
  }

  @Override
  public void close() {
    closed = true;
  }
}
