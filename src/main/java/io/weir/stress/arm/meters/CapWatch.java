package io.weir.stress.arm.meters;

import io.weir.merge.MergeDebtSnapshot;
import io.weir.merge.MergeListener;
import java.util.Optional;

/** Keeps what Weir's scheduler reports about its cap. <b>Threads:</b> any; guarded by this. */
public final class CapWatch implements MergeListener {

  /**
   * How a cap was too low for its arm.
   *
   * @param lifts how often the cap was lifted because merges had piled up, over the whole arm
   * @param shortfall the worst moment at which the cap could not keep up; empty when it always did
   */
  public record Trouble(long lifts, Optional<Shortfall> shortfall) {

    public static final Trouble NONE = new Trouble(0, Optional.empty());
  }

  /**
   * Merges had more to write than the cap allows.
   *
   * @param capBytesPerSecond the tightest rate that applied to merges
   * @param demandBytesPerSecond what merges must write in the long run
   * @param enoughBytesPerSecond a cap that would suffice
   */
  public record Shortfall(
      double capBytesPerSecond, double demandBytesPerSecond, double enoughBytesPerSecond) {}

  private Trouble trouble = Trouble.NONE; // guarded by this

  @Override
  public synchronized void capLifted(String reason) {
    trouble = new Trouble(trouble.lifts() + 1, trouble.shortfall());
  }

  /** Keeps the time with the highest demand. */
  @Override
  public synchronized void cannotKeepUp(MergeDebtSnapshot debt) {
    double worst = trouble.shortfall().map(Shortfall::demandBytesPerSecond).orElse(0.0);
    if (worst < debt.demandBytesPerSecond()) {
      Shortfall now =
          new Shortfall(
              debt.capBytesPerSecond().orElse(0),
              debt.demandBytesPerSecond(),
              debt.sufficientBytesPerSecond());
      trouble = new Trouble(trouble.lifts(), Optional.of(now));
    }
  }

  public synchronized Trouble trouble() {
    return trouble;
  }
}
