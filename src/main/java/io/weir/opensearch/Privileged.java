package io.weir.opensearch;

import io.weir.merge.MergeReadMeter;
import io.weir.merge.MergeYield;
import java.util.function.Supplier;

/**
 * Calls with the permissions of the plug-in, whatever the callers may do. The engine's agent checks
 * all callers of a file access, up to a call like this one.
 */
final class Privileged {

  private Privileged() {}

  static <T> T call(Supplier<T> step) {
    return EngineVersions.privileged(step);
  }

  static void run(Runnable step) {
    call(
        () -> {
          step.run();
          return null;
        });
  }

  /** The same decisions, taken with the permissions of the plug-in. */
  static MergeYield yield(MergeYield yield) {
    return new MergeYield() {
      @Override
      public boolean standAside() {
        return call(yield::standAside);
      }

      @Override
      public void mergeBegins() {
        run(yield::mergeBegins);
      }

      @Override
      public void mergeEnds(Thread thread) {
        run(() -> yield.mergeEnds(thread));
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
        run(counter::close);
      }
    };
  }
}
