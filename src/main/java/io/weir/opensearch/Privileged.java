package io.weir.opensearch;

import io.weir.merge.MergeReadMeter;
import io.weir.merge.MergeYield;
import java.util.function.Supplier;
import org.opensearch.secure_sm.AccessController;

/**
 * Calls with the permissions of the plug-in, whatever the callers may do. The engine's agent checks
 * all callers of a file access, up to a call like this one.
 */
final class Privileged {

  private Privileged() {}

  static <T> T call(Supplier<T> step) {
    return AccessController.doPrivileged(step);
  }

  static void run(Runnable step) {
    AccessController.doPrivileged(step);
  }

  /** The same decisions, taken with the permissions of the plug-in. */
  static MergeYield yield(MergeYield yield) {
    return new MergeYield() {
      @Override
      public boolean standAside() {
        return AccessController.doPrivileged(() -> yield.standAside());
      }

      @Override
      public void mergeBegins() {
        AccessController.doPrivileged(yield::mergeBegins);
      }

      @Override
      public void mergeEnds() {
        AccessController.doPrivileged(yield::mergeEnds);
      }
    };
  }

  /** The same counts, read with the permissions of the plug-in. */
  static MergeReadMeter reads(MergeReadMeter meter) {
    return () -> call(meter::ofCallingThread).map(Privileged::counter);
  }

  private static MergeReadMeter.Counter counter(MergeReadMeter.Counter counter) {
    return new MergeReadMeter.Counter() {
      @Override
      public long bytesSinceLast() {
        return call(counter::bytesSinceLast);
      }

      @Override
      public void close() {
        AccessController.doPrivileged(counter::close);
      }
    };
  }
}
