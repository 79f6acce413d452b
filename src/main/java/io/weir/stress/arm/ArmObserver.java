package io.weir.stress.arm;

import io.weir.control.LatencyGoal;
import io.weir.merge.RateLimitedMergeScheduler;
import io.weir.nrt.ReopenMonitor;
import io.weir.rate.ByteBudget;
import io.weir.run.RunWarning;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.IOUtils;

/** Observes an arm of Lucene while it runs, for example to publish its meters. */
@FunctionalInterface
public interface ArmObserver {

  /**
   * The parts of an arm that can be observed.
   *
   * @param budget empty with {@code preset=stock}
   * @param scheduler empty with {@code preset=stock}
   * @param directory the writer's
   * @param reopens monitors the reopens of its searcher
   * @param goal sets the rate of the budget; empty if the arm has none
   */
  record Parts(
      Optional<ByteBudget> budget,
      Optional<RateLimitedMergeScheduler> scheduler,
      Directory directory,
      ReopenMonitor reopens,
      Optional<LatencyGoal> goal) {}

  /** The observation of one arm, until it is closed. */
  @FunctionalInterface
  interface Observation extends Closeable {

    /** Warnings for the arm's result; called after the close. */
    default List<RunWarning> warnings() {
      return List.of();
    }
  }

  /** Observes nothing. */
  ArmObserver NONE = parts -> () -> {};

  /**
   * Called when the arm is open and its load is about to begin. An exception fails the arm.
   *
   * @return closed before the arm's parts are
   */
  Observation open(Parts parts) throws IOException;

  /** Several as one: opened in order, closed in reverse order. */
  static ArmObserver all(List<ArmObserver> observers) {
    return parts -> {
      List<Observation> opened = new ArrayList<>();
      Observation all =
          new Observation() {
            @Override
            public void close() throws IOException {
              IOUtils.close(opened.reversed());
            }

            @Override
            public List<RunWarning> warnings() {
              return opened.stream().flatMap(one -> one.warnings().stream()).toList();
            }
          };
      try {
        for (ArmObserver observer : observers) {
          opened.add(observer.open(parts));
        }
        return all;
      } catch (Throwable t) {
        IOUtils.closeWhileSuppressingExceptions(t, all);
        throw t;
      }
    };
  }
}
