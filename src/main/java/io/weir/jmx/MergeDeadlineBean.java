package io.weir.jmx;

import io.weir.control.DeadlineSnapshot;
import io.weir.control.MergeDeadline;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * Exposes a deadline for forced merges in JMX as {@code io.weir:type=MergeDeadline,name=...} until
 * it is closed. Close it with the deadline.
 *
 * <p><b>Threads:</b> any. <b>Ownership:</b> owns the registration, not the deadline.
 */
public final class MergeDeadlineBean implements AutoCloseable {

  private static final double PERCENT = 100;

  private final Registration registration;

  private MergeDeadlineBean(Registration registration) {
    this.registration = registration;
  }

  /**
   * Registers at the platform's server.
   *
   * @param name such as that of the index
   * @throws IllegalStateException if a deadline of that name is registered
   */
  public static MergeDeadlineBean register(MergeDeadline deadline, String name) {
    Objects.requireNonNull(name, "name");
    return register(Objects.requireNonNull(deadline, "deadline")::snapshot, name);
  }

  static MergeDeadlineBean register(Supplier<DeadlineSnapshot> deadline, String name) {
    return new MergeDeadlineBean(
        Registration.of("MergeDeadline", name, new Shown(deadline), MergeDeadlineMXBean.class));
  }

  /** Removes the registration; may be called more than once. */
  @Override
  public void close() {
    registration.close();
  }

  private record Shown(Supplier<DeadlineSnapshot> deadline) implements MergeDeadlineMXBean {

    @Override
    public String getOutlook() {
      return deadline.get().outlook().text();
    }

    @Override
    public Double getDonePercent() {
      DeadlineSnapshot now = deadline.get();
      return now.fraction().isPresent() ? PERCENT * now.fraction().getAsDouble() : null;
    }

    @Override
    public Long getNeededSeconds() {
      return deadline.get().remaining().map(Duration::toSeconds).orElse(null);
    }

    @Override
    public long getLeftSeconds() {
      return deadline.get().untilDeadline().toSeconds();
    }

    @Override
    public Long getBytesPerSecond() {
      DeadlineSnapshot now = deadline.get();
      return now.rate().isLimited() ? now.rate().bytesPerSecond() : null;
    }

    @Override
    public String getDescription() {
      return deadline.get().describe();
    }
  }
}
