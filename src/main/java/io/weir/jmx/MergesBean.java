package io.weir.jmx;

import io.weir.merge.MergeActivity;
import io.weir.merge.MergeKind;
import io.weir.merge.MergeKindTotals;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.ToLongFunction;

/**
 * Exposes the merges of a writer in JMX as {@code io.weir:type=Merges,name=...} until it is closed.
 *
 * <p><b>Threads:</b> any. <b>Ownership:</b> owns the registration, not the merges.
 */
public final class MergesBean implements AutoCloseable {

  private final Registration registration;

  private MergesBean(Registration registration) {
    this.registration = registration;
  }

  /**
   * Registers at the platform's server.
   *
   * @throws IllegalStateException if merges of that name are registered
   */
  public static MergesBean register(MergeActivity merges, String name) {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(merges, "merges");
    return new MergesBean(Registration.of("Merges", name, new Shown(merges), MergesMXBean.class));
  }

  /** Removes the registration; may be called more than once. */
  @Override
  public void close() {
    registration.close();
  }

  private record Shown(MergeActivity merges) implements MergesMXBean {

    @Override
    public long getWrittenBytes() {
      return sum(MergeKindTotals::writtenBytes);
    }

    @Override
    public long getForcedBytes() {
      return merges.totals(MergeKind.FORCED).writtenBytes();
    }

    @Override
    public long getDone() {
      return sum(MergeKindTotals::done);
    }

    @Override
    public long getAborted() {
      return sum(MergeKindTotals::aborted);
    }

    @Override
    public long getFailed() {
      return sum(MergeKindTotals::failed);
    }

    @Override
    public long getPausedMillis() {
      return Duration.ofNanos(sum(MergeKindTotals::pausedNanos)).toMillis();
    }

    @Override
    public List<String> getRunning() {
      return merges.running().stream()
          .map(
              merge ->
                  String.format(
                      Locale.ROOT,
                      "%s %s %d bytes",
                      merge.kind(),
                      merge.segment().orElse("?"),
                      merge.writtenBytes()))
          .toList();
    }

    private long sum(ToLongFunction<MergeKindTotals> figure) {
      return Arrays.stream(MergeKind.values()).map(merges::totals).mapToLong(figure).sum();
    }
  }
}
