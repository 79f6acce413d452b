package io.weir.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.weir.rate.BudgetListener;
import io.weir.rate.BudgetSnapshot;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * The meters of a {@link ByteBudget}: its cap, granted bytes and waits, including those of its
 * children. Bind one per budget, however many indexes share it; the tag {@code budget} is its name.
 */
public final class BudgetMetrics extends WeirMeterBinder {

  private final ByteBudget budget;

  /** Without further tags. */
  public BudgetMetrics(ByteBudget budget) {
    this(budget, Tags.empty());
  }

  /**
   * With additional tags.
   *
   * @param tags without the key {@code budget}
   */
  public BudgetMetrics(ByteBudget budget, Tags tags) {
    super(tags, TagKeys.BUDGET);
    this.budget = Objects.requireNonNull(budget, "budget");
  }

  @Override
  Runnable register(MeterSet meters) {
    String name = budget.name();
    meters.gauge(WeirMeter.BUDGET_LIMIT, () -> bytesPerSecond(budget.rate()), name);
    meters.all(BudgetSnapshot.FIGURES, budget::snapshot, name);
    Timer wait = meters.timer(WeirMeter.BUDGET_WAIT, name);
    Counter changes = meters.counter(WeirMeter.BUDGET_CHANGES, name);
    BudgetListener listener =
        new BudgetListener() {
          @Override
          public void waitEnded(long grantedBytes, long waitNanos) {
            wait.record(waitNanos, TimeUnit.NANOSECONDS);
          }

          @Override
          public void rateChanged(Rate before, Rate after) {
            changes.increment();
          }
        };
    budget.addListener(listener);
    return () -> budget.removeListener(listener);
  }

  private static double bytesPerSecond(Rate rate) {
    return switch (rate.state()) {
      case LIMITED -> rate.bytesPerSecond();
      case UNLIMITED -> Double.POSITIVE_INFINITY;
      case PAUSED -> 0;
    };
  }
}
