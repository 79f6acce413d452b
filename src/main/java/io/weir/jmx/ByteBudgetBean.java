package io.weir.jmx;

import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import java.lang.management.ManagementFactory;
import java.util.Objects;
import java.util.regex.Pattern;
import javax.management.InstanceAlreadyExistsException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MalformedObjectNameException;
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
public final class ByteBudgetBean implements AutoCloseable {

  /** Names that JMX requires in quotes, or would treat as a pattern; a name may also be empty. */
  private static final Pattern SPECIAL = Pattern.compile("[,=:\"*?\n]|^\\s*$");

  private final MBeanServer server;
  private final ObjectName name;

  private ByteBudgetBean(MBeanServer server, ObjectName name) {
    this.server = server;
    this.name = name;
  }

  /**
   * Registers a budget at the platform's server.
   *
   * @throws IllegalStateException if a budget of that name is registered
   */
  public static ByteBudgetBean register(ByteBudget budget) {
    return register(budget, ManagementFactory.getPlatformMBeanServer());
  }

  /** Registers a budget at any server. */
  public static ByteBudgetBean register(ByteBudget budget, MBeanServer server) {
    ObjectName name = nameOf(budget);
    try {
      server.registerMBean(
          new StandardMBean(new Shown(budget), ByteBudgetMXBean.class, true), name);
    } catch (InstanceAlreadyExistsException e) {
      throw new IllegalStateException(
          "budgets need different names to be registered in JMX: " + budget.name(), e);
    } catch (JMException e) {
      throw new IllegalStateException("JMX refused to register the budget " + budget.name(), e);
    }
    return new ByteBudgetBean(server, name);
  }

  /** The registered name. */
  public ObjectName name() {
    return name;
  }

  /** Removes the registration; may be called more than once. */
  @Override
  public void close() {
    try {
      server.unregisterMBean(name);
    } catch (InstanceNotFoundException e) {
      // It was removed before.
    } catch (JMException e) {
      throw new IllegalStateException("JMX refused to unregister " + name, e);
    }
  }

  /**
   * The type comes first, because consoles build a tree from the keys in their order, and
   * jmx_exporter builds its names from them.
   */
  private static ObjectName nameOf(ByteBudget budget) {
    String name = budget.name();
    try {
      return new ObjectName(
          "io.weir:type=ByteBudget,name="
              + (SPECIAL.matcher(name).find() ? ObjectName.quote(name) : name));
    } catch (MalformedObjectNameException e) {
      throw new IllegalStateException(e); // a quoted name is always valid
    }
  }

  private record Shown(ByteBudget budget) implements ByteBudgetMXBean {

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

    @Override
    public long getGrantedBytes() {
      return budget.snapshot().grantedBytes();
    }

    @Override
    public long getRequests() {
      return budget.snapshot().requests();
    }

    @Override
    public long getDelayedRequests() {
      return budget.snapshot().delayedRequests();
    }

    @Override
    public long getWaitNanos() {
      return budget.snapshot().waitNanos();
    }

    @Override
    public int getWaiting() {
      return budget.snapshot().waiting();
    }

    @Override
    public long getDebtBytes() {
      return budget.snapshot().debtBytes();
    }

    @Override
    public long getForgivenBytes() {
      return budget.snapshot().forgivenBytes();
    }
  }
}
