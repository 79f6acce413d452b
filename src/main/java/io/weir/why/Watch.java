package io.weir.why;

import io.weir.procfs.CpuTimes;
import io.weir.procfs.Procfs;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Looks at a {@link Source} for a while, and at those beside it in the same time.
 *
 * <p><b>Threads:</b> one runs it, once; any may {@link #cancel} it. A source beside the first has a
 * thread of its own. <b>Failure:</b> {@link WhyException} if nothing could be seen; if the source
 * ends meanwhile, the observation is what was seen until then.
 */
public final class Watch {

  /** The longest look. */
  public static final Duration MOST = Duration.ofHours(1);

  /** The shortest look that can say something. */
  public static final Duration LEAST = Duration.ofSeconds(5);

  private static final long STEP_NANOS = 100_000_000;
  private static final double NANOS_PER_SECOND = 1e9;

  private final Source source;
  private final Duration length;
  private final Procfs kernel;
  private final NanoClock clock;
  private final List<Source> open = new CopyOnWriteArrayList<>();
  private volatile boolean cancelled;

  /**
   * Prepares it.
   *
   * @param length how long to look
   * @param kernel of this machine, for what the look itself costs
   */
  public Watch(Source source, Duration length, Procfs kernel, NanoClock clock) {
    if (length.compareTo(LEAST) < 0 || length.compareTo(MOST) > 0) {
      throw new IllegalArgumentException(
          "--for must be from %d s to %d s: %s s"
              .formatted(LEAST.toSeconds(), MOST.toSeconds(), length.toMillis() / 1e3));
    }
    this.source = source;
    this.length = length;
    this.kernel = kernel;
    this.clock = clock;
    open.add(source);
  }

  /** Ends the look early; what was seen until then is the observation. */
  public void cancel() {
    cancelled = true;
    open.forEach(Source::close);
  }

  /** Whether it was cancelled. */
  public boolean isCancelled() {
    return cancelled;
  }

  /** Looks, and says what was seen. */
  public Observation run() throws WhyException {
    try {
      open.addAll(source.open());
      if (cancelled) {
        open.forEach(Source::close); // perhaps it did not have all of them
      }
      Observation seen = lookAtAll();
      return seen.withCost(ownCost(kernel.selfTicks().orElse(0)));
    } finally {
      open.forEach(Source::close);
    }
  }

  private Observation lookAtAll() throws WhyException {
    try (ExecutorService others = Executors.newCachedThreadPool()) {
      List<Future<Observation>> beside =
          open.stream().skip(1).map(other -> others.submit(() -> look(other))).toList();
      Observation seen = look(source);
      for (Future<Observation> other : beside) {
        seen = seen.with(other.get());
      }
      if (seen.value(Fact.STACKS).orElse(0) == 0 && !cancelled) {
        throw new WhyException(
            "%s gave no stacks: %s".formatted(source.name(), seen.unseen().getFirst()));
      }
      return seen;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new WhyException("interrupted", e);
    }
  }

  /** Until the time is over, or it can be looked at no more. */
  private Observation look(Source one) {
    long start = clock.nanoTime();
    long end = start + length.toNanos();
    String ending = "";
    try {
      for (long now = start; !cancelled && now < end; now = clock.nanoTime()) {
        long wake = Math.min(Math.min(one.look(now), now + STEP_NANOS), end);
        clock.parkNanos(this, wake - clock.nanoTime());
      }
    } catch (IOException e) {
      ending =
          (Observation.ENDING + "after %.1f s %s.")
              .formatted((clock.nanoTime() - start) / NANOS_PER_SECOND, e.getMessage());
    }
    double seconds = (clock.nanoTime() - start) / NANOS_PER_SECOND;
    if (cancelled) {
      ending = (Observation.ENDING + "the look was interrupted after %.1f s.").formatted(seconds);
    }
    return one.seen(seconds).ended(seconds, ending);
  }

  private static List<String> ownCost(long ticks) {
    List<String> cost = new ArrayList<>();
    if (ticks > 0) {
      cost.add(
          "weir itself took %.1f s of a processor, its own start included"
              .formatted(ticks * (double) CpuTimes.TICK_NANOS / NANOS_PER_SECOND));
    }
    return cost;
  }
}
