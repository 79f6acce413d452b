package io.weir.stress.arm;

import java.util.ArrayList;
import java.util.List;

/**
 * The request that an arm ends early, and what it sets off: for one, hanging up on an engine, so
 * that no call that is never answered keeps a worker alive.
 *
 * <p><b>Threads:</b> any.
 */
public final class StopRequest {

  // Guarded by this.
  private boolean asked;
  private final List<Runnable> actions = new ArrayList<>();

  /** Asks the arm to end. */
  public synchronized void ask() {
    asked = true;
    actions.forEach(Runnable::run);
  }

  public synchronized boolean isAsked() {
    return asked;
  }

  /** Does {@code action} when it is asked, after earlier ones; at once if it has been. */
  public synchronized void onAsk(Runnable action) {
    actions.add(action);
    if (asked) {
      action.run();
    }
  }
}
