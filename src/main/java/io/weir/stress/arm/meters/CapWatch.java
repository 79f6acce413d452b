package io.weir.stress.arm.meters;

import io.weir.merge.MergeDebtSnapshot;
import io.weir.merge.MergeListener;

/** Remembers what Weir's scheduler says of its cap. <b>Threads:</b> any; guarded by this. */
public final class CapWatch implements MergeListener {

  private CapTrouble trouble = CapTrouble.NONE; // guarded by this

  @Override
  public synchronized void capLifted(String reason) {
    trouble = new CapTrouble(trouble.lifts() + 1, trouble.shortfall());
  }

  /** Of several times the one that asked for most is kept. */
  @Override
  public synchronized void cannotKeepUp(MergeDebtSnapshot debt) {
    CapTrouble.Shortfall worst = trouble.shortfall();
    if (worst == null || worst.demandBytesPerSecond() < debt.demandBytesPerSecond()) {
      CapTrouble.Shortfall now =
          new CapTrouble.Shortfall(
              debt.capBytesPerSecond().orElse(0),
              debt.demandBytesPerSecond(),
              debt.sufficientBytesPerSecond());
      trouble = new CapTrouble(trouble.lifts(), now);
    }
  }

  public synchronized CapTrouble trouble() {
    return trouble;
  }
}
