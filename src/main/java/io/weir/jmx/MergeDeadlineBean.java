package io.weir.jmx;

import io.weir.control.DeadlineSnapshot;
import io.weir.control.MergeDeadline;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Exposes a deadline for forced merges in JMX as {@code io.weir:type=MergeDeadline,name=...} until
 * it is closed. Close it with the deadline.
 *
 * <p><b>Threads:</b> any. <b>Ownership:</b> owns the registration, not the deadline.
 */
public final class MergeDeadlineBean extends Registration {

  private MergeDeadlineBean(Supplier<DeadlineSnapshot> deadline, String name) {
    super(
        "MergeDeadline",
        name,
        new FiguresBean("Whether forced merges will be done in time", Optional.empty())
            .with(DeadlineSnapshot.FIGURES, deadline));
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
    return new MergeDeadlineBean(deadline, name);
  }
}
