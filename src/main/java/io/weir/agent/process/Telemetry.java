package io.weir.agent.process;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.weir.agent.AgentLog;
import io.weir.exporter.MetricsServer;
import io.weir.exporter.MetricsServerOptions;
import io.weir.jmx.ByteBudgetBean;
import io.weir.jmx.ProcessorShareBean;
import io.weir.metrics.BudgetMetrics;
import io.weir.metrics.LinuxMetrics;
import io.weir.metrics.ProcessorShareMetrics;
import io.weir.metrics.WeirHistograms;
import io.weir.rate.ByteBudget;
import io.weir.rate.ProcessorShare;
import java.io.Closeable;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.util.Optional;
import javax.management.JMException;
import javax.management.ObjectName;
import javax.management.StandardMBean;

/**
 * The meters of the process, their port, and the agent's beans in JMX.
 *
 * <p><b>Failure:</b> a port or bean that is refused is absent; one line says so.
 */
final class Telemetry implements Closeable {

  private static final String AGENT_NAME = "io.weir:type=Agent";

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private Optional<MetricsServer> server = Optional.empty();
  private Optional<ByteBudgetBean> budgetBean = Optional.empty();
  private Optional<ProcessorShareBean> processorsBean = Optional.empty();

  /** Meters and beans for the budget and the share, and a port if there is an address. */
  Telemetry(ByteBudget budget, ProcessorShare processors, Optional<InetSocketAddress> address) {
    registry.config().meterFilter(WeirHistograms.filter());
    new BudgetMetrics(budget).bindTo(registry);
    new ProcessorShareMetrics(processors).bindTo(registry);
    new LinuxMetrics().bindTo(registry);
    optional("/metrics", "jdk.httpserver", () -> server = listen(address));
    optional(
        "JMX",
        "java.management",
        () -> {
          budgetBean = Optional.of(ByteBudgetBean.register(budget));
          processorsBean = Optional.of(ProcessorShareBean.register(processors, budget.name()));
        });
  }

  PrometheusMeterRegistry registry() {
    return registry;
  }

  /** Where {@code /metrics} is; empty if nowhere. */
  Optional<InetSocketAddress> address() {
    return server.map(MetricsServer::address);
  }

  /** Shows {@code agent} in JMX. */
  void show(AgentMXBean agent) {
    optional(
        "JMX",
        "java.management",
        () ->
            ManagementFactory.getPlatformMBeanServer()
                .registerMBean(
                    new StandardMBean(agent, AgentMXBean.class, true), new ObjectName(AGENT_NAME)));
  }

  private Optional<MetricsServer> listen(Optional<InetSocketAddress> address) throws IOException {
    if (address.isEmpty()) {
      return Optional.empty();
    }
    MetricsServer started =
        MetricsServer.start(MetricsServerOptions.local(0).withAddress(address.get()), registry);
    AgentLog.say(
        "metrics are at http://%s:%d/metrics"
            .formatted(started.address().getHostString(), started.address().getPort()));
    return Optional.of(started);
  }

  private interface Step {
    void run() throws Exception;
  }

  /** A named module that is not resolved lacks classes; the option names it. */
  private static void optional(String what, String module, Step step) {
    try {
      step.run();
    } catch (LinkageError e) {
      AgentLog.say("no " + what + ": start Java with --add-modules " + module + ": " + e);
    } catch (Exception e) {
      AgentLog.say("no " + what + ": " + e.getMessage());
    }
  }

  @Override
  public void close() {
    server.ifPresent(MetricsServer::close);
    budgetBean.ifPresent(ByteBudgetBean::close);
    processorsBean.ifPresent(ProcessorShareBean::close);
    try {
      ManagementFactory.getPlatformMBeanServer().unregisterMBean(new ObjectName(AGENT_NAME));
    } catch (JMException | LinkageError e) {
      // It was never registered.
    }
    registry.close();
  }
}
