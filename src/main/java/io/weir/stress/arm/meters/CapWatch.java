package io.weir.stress.arm.meters;

import io.weir.merge.MergeDebtSnapshot;
import io.weir.merge.MergeListener;
import java.util.Optional;

/** Keeps what Weir's scheduler reports about its cap. <b>Threads:</b> any; guarded by this. */
public final class CapWatch implements MergeListener {

  private CapTrouble trouble = CapTrouble.NONE; // guarded by this

  @Override
  public synchronized void capLifted(String reason) {
    trouble = new CapTrouble(trouble.lifts() + 1, trouble.shortfall());
  }

  /** Keeps the time with the highest demand. */
  @Override
  public synchronized void cannotKeepUp(MergeDebtSnapshot debt) {
    double worst = trouble.shortfall().map(CapTrouble.Shortfall::demandBytesPerSecond).orElse(0.0);
    if (worst < debt.demandBytesPerSecond()) {
      CapTrouble.Shortfall now =
          new CapTrouble.Shortfall(
              debt.capBytesPerSecond().orElse(0),
              debt.demandBytesPerSecond(),
              debt.sufficientBytesPerSecond());
      trouble = new CapTrouble(trouble.lifts(), Optional.of(now));
    }
  }

  public synchronized CapTrouble trouble() {
    return trouble;
  }
}
