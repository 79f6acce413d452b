package io.weir.jmx;

import io.weir.rate.BudgetSnapshot;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import java.lang.management.ManagementFactory;
import java.util.Objects;
import java.util.Optional;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.StandardMBean;

/**
 * Exposes a budget in JMX as {@code io.weir:type=ByteBudget,name=...} until it is closed. JMX
 * clients can read and change the cap of a running application.
 *
 * <pre>{@code
 * try (ByteBudgetBean bean = ByteBudgetBean.register(budget)) { ... }
 * }</pre>
 *
 * <p><b>Threads:</b> any. <b>Ownership:</b> owns the registration, not the budget. <b>Failure:</b>
 * a cap out of range is refused with a message that states the range; the old cap stays.
 */
public final class ByteBudgetBean extends Registration {

  private ByteBudgetBean(ByteBudget budget, MBeanServer server) {
    super(
        "ByteBudget",
        budget.name(),
        new FiguresBean(
                "A budget: its cap, which can be set, and its counters",
                Optional.of(new StandardMBean(new Control(budget), ByteBudgetMXBean.class, true)))
            .with(BudgetSnapshot.FIGURES, budget::snapshot),
        server);
  }

  /**
   * Registers a budget at the platform's server.
   *
   * @throws IllegalStateException if a budget of that name is registered
   */
  public static ByteBudgetBean register(ByteBudget budget) {
    Objects.requireNonNull(budget, "budget");
    return register(budget, ManagementFactory.getPlatformMBeanServer());
  }

  /** Registers a budget at any server. */
  public static ByteBudgetBean register(ByteBudget budget, MBeanServer server) {
    Objects.requireNonNull(budget, "budget");
    Objects.requireNonNull(server, "server");
    return new ByteBudgetBean(budget, server);
  }

  /** The registered name. */
  public ObjectName name() {
    return name;
  }

  private record Control(ByteBudget budget) implements ByteBudgetMXBean {

    @Override
    public String getName() {
      return budget.name();
    }

    @Override
    public String getState() {
      return budget.rate().state().name();
    }

    @Override
    public Long getBytesPerSecond() {
      Rate rate = budget.rate();
      return rate.isLimited() ? rate.bytesPerSecond() : null;
    }

    @Override
    public void setBytesPerSecond(Long bytesPerSecond) {
      budget.setBytesPerSecond(
          Objects.requireNonNull(bytesPerSecond, "bytesPerSecond; to have no cap use removeCap"));
    }

    @Override
    public void removeCap() {
      budget.setRate(Rate.UNLIMITED);
    }

    @Override
    public void pause() {
      budget.setRate(Rate.PAUSED);
    }
  }
}
