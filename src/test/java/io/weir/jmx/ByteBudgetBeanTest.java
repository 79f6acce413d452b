package io.weir.jmx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.rate.BudgetOptions;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import java.lang.management.ManagementFactory;
import java.util.Set;
import java.util.concurrent.FutureTask;
import javax.management.Attribute;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.MBeanServerConnection;
import javax.management.RuntimeMBeanException;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXConnectorServer;
import javax.management.remote.JMXConnectorServerFactory;
import javax.management.remote.JMXServiceURL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** By the platform's own server, as VisualVM and exporters see it. */
@Timeout(30)
class ByteBudgetBeanTest {

  private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
  private final ByteBudget budget =
      new ByteBudget(BudgetOptions.named("a, disk=\"1\"").withRate(Rate.perSecond(1000)));

  @Test
  void attributes_tellWhatTheBudgetTells() throws Exception {
    try (ByteBudgetBean bean = ByteBudgetBean.register(budget)) {
      budget.acquire(7);
      assertEquals("a, disk=\"1\"", get(bean, "Name"));
      assertEquals("LIMITED", get(bean, "State"));
      assertEquals(1000L, get(bean, "BytesPerSecond"));
      assertEquals(7L, get(bean, "GrantedBytes"));
      assertEquals(1L, get(bean, "Requests"));
      assertEquals(0L, get(bean, "DelayedRequests"));
      assertEquals(0, get(bean, "Waiting"));
      assertEquals(0L, get(bean, "WaitNanos"));
      assertEquals(0L, get(bean, "DebtBytes"));
      assertEquals(0L, get(bean, "ForgivenBytes"));
    }
  }

  /** A console of another process has none of Weir's classes. */
  @Test
  void attributes_overAConnection_areOfTheJdkAlone_andTheCapCanBeSet() throws Exception {
    JMXConnectorServer remote =
        JMXConnectorServerFactory.newJMXConnectorServer(
            new JMXServiceURL("service:jmx:rmi://localhost"), null, server);
    remote.start();
    try (ByteBudgetBean bean = ByteBudgetBean.register(budget);
        JMXConnector console = JMXConnectorFactory.connect(remote.getAddress())) {
      MBeanServerConnection connection = console.getMBeanServerConnection();
      for (MBeanAttributeInfo attribute : connection.getMBeanInfo(bean.name()).getAttributes()) {
        String type = attribute.getType();
        assertTrue(
            type.startsWith("java.lang.") || Set.of("int", "long").contains(type),
            attribute::toString);
        assertEquals(
            attribute.getName().equals("BytesPerSecond"),
            attribute.isWritable(),
            attribute::getName);
      }
      connection.setAttribute(bean.name(), new Attribute("BytesPerSecond", 2_000_000L));
      assertEquals(Rate.perSecond(2_000_000), budget.rate());
    } finally {
      remote.stop();
    }
  }

  @Test
  void bytesPerSecond_set_letsAWaiterGo() throws Exception {
    budget.setRate(Rate.PAUSED);
    try (ByteBudgetBean bean = ByteBudgetBean.register(budget)) {
      assertEquals("PAUSED", get(bean, "State"));
      assertNull(get(bean, "BytesPerSecond"));
      FutureTask<Long> waiter = new FutureTask<>(() -> budget.acquire(10));
      Thread.ofPlatform().daemon().start(waiter);
      while (!Integer.valueOf(1).equals(get(bean, "Waiting"))) {
        Thread.onSpinWait();
      }
      server.setAttribute(bean.name(), new Attribute("BytesPerSecond", 1_000_000_000L));
      assertEquals(10, waiter.get());
      assertEquals(Rate.perSecond(1_000_000_000), budget.rate());
    }
  }

  @Test
  void operations_removeTheCapAndPause() throws Exception {
    try (ByteBudgetBean bean = ByteBudgetBean.register(budget)) {
      server.invoke(bean.name(), "removeCap", null, null);
      assertEquals(Rate.UNLIMITED, budget.rate());
      assertNull(get(bean, "BytesPerSecond"));
      server.invoke(bean.name(), "pause", null, null);
      assertEquals(Rate.PAUSED, budget.rate());
    }
  }

  @Test
  void bytesPerSecond_outOfRange_isRefused_andTheCapStays() throws Exception {
    try (ByteBudgetBean bean = ByteBudgetBean.register(budget)) {
      for (Long wrong : new Long[] {0L, -1L, null}) {
        RuntimeMBeanException refused =
            assertThrows(
                RuntimeMBeanException.class,
                () -> server.setAttribute(bean.name(), new Attribute("BytesPerSecond", wrong)));
        assertTrue(
            refused.getCause().getMessage().contains("bytesPerSecond"),
            refused.getCause().getMessage());
      }
      assertEquals(Rate.perSecond(1000), budget.rate());
    }
  }

  /**
   * jmx_exporter puts the value of the first key into a metric's name, and makes labels of the
   * others.
   */
  @Test
  void name_hasTheTypeFirst_andQuotesWhereJmxNeedsThem() {
    try (ByteBudgetBean plain =
            ByteBudgetBean.register(new ByteBudget(BudgetOptions.named("disk-1 of /data")));
        ByteBudgetBean special = ByteBudgetBean.register(budget);
        ByteBudgetBean pattern =
            ByteBudgetBean.register(new ByteBudget(BudgetOptions.named("disk*?")))) {
      assertEquals("io.weir:type=ByteBudget,name=disk-1 of /data", plain.name().toString());
      assertEquals("io.weir:type=ByteBudget,name=\"a, disk=\\\"1\\\"\"", special.name().toString());
      assertFalse(pattern.name().isPattern());
    }
  }

  @Test
  void register_ofTwoWithOneName_isRefused_andCloseMakesRoom() {
    ByteBudgetBean first = ByteBudgetBean.register(budget);
    assertThrows(IllegalStateException.class, () -> ByteBudgetBean.register(budget));
    first.close();
    first.close();
    assertFalse(server.isRegistered(first.name()));
    ByteBudgetBean.register(budget).close();
  }

  private Object get(ByteBudgetBean bean, String attribute) throws Exception {
    return server.getAttribute(bean.name(), attribute);
  }
}
