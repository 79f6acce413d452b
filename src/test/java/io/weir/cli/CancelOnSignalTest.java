package io.weir.cli;

import io.weir.stress.Await;
import java.lang.ref.WeakReference;
import org.junit.jupiter.api.Test;

class CancelOnSignalTest {

  /** A hook that stays would hold the run in this JVM, and cancel it again at its end. */
  @Test
  void close_noSignalCame_leavesNoHook() {
    WeakReference<Runnable> cancel = closedHook();

    Await.until(
        "the hook holds it no longer",
        () -> {
          System.gc();
          return cancel.refersTo(null);
        });
  }

  private static WeakReference<Runnable> closedHook() {
    Object run = new Object();
    Runnable cancel = run::hashCode; // an object of its own, because it captures one
    new CancelOnSignal(cancel).close();
    return new WeakReference<>(cancel);
  }
}
