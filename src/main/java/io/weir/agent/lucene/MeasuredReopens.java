package io.weir.agent.lucene;

import io.micrometer.core.instrument.Tags;
import io.weir.agent.AgentLog;
import io.weir.jmx.ReopensBean;
import io.weir.metrics.ReopenMetrics;
import io.weir.metrics.SlowReopenMetrics;
import io.weir.nrt.ReopenMonitor;
import io.weir.nrt.SlowReopens;
import java.io.IOException;
import java.util.Optional;
import org.apache.lucene.search.ReferenceManager;

/**
 * The monitor of one reference manager, its meters and its bean. It counts from the first reopen
 * on. The meters and the sampler of slow reopens begin then too, because only then the manager has
 * a reader that tells which index it is. Before that, only the manager knows this object.
 *
 * <p><b>Threads:</b> the listener's calls come under the manager's refresh lock.
 */
final class MeasuredReopens implements ReferenceManager.RefreshListener, AutoCloseable {

  private final ReferenceManager<?> manager;
  private final BesideLucene all;
  private final ReopenMonitor monitor;
  private String name; // null until the first reopen, and if that failed; guarded by this
  private ReopenMetrics metrics; // as name
  private SlowReopenMetrics slowMetrics; // as name
  private Optional<ReopensBean> bean = Optional.empty(); // guarded by this
  private boolean tried; // guarded by this
  private boolean closed; // guarded by this

  MeasuredReopens(ReferenceManager<?> manager, BesideLucene all) {
    this.manager = manager;
    this.all = all;
    this.monitor = ReopenMonitor.attach(manager);
    manager.addListener(this);
  }

  @Override
  public void beforeRefresh() {
    try {
      begin();
    } catch (Throwable failure) {
      AgentLog.say("reopens of " + manager.getClass() + " have no meters: " + failure);
    }
  }

  @Override
  public void afterRefresh(boolean didRefresh) {}

  private synchronized void begin() throws IOException {
    if (tried || closed) {
      return;
    }
    tried = true;
    manager.removeListener(this);
    Optional<String> admitted = all.admit(manager, this, IndexName.of(manager));
    if (admitted.isEmpty()) {
      monitor.close();
      return;
    }
    name = admitted.get();
    Tags tags = Tags.of("index", name);
    metrics = new ReopenMetrics(monitor, tags);
    metrics.bindTo(all.registry());
    SlowReopens slow = monitor.explainSlow(all.slowReopens());
    slowMetrics = new SlowReopenMetrics(slow, tags);
    slowMetrics.bindTo(all.registry());
    bean = bean(slow);
  }

  private Optional<ReopensBean> bean(SlowReopens slow) {
    try {
      return Optional.of(ReopensBean.register(monitor, slow, name));
    } catch (RuntimeException | LinkageError e) {
      AgentLog.say("no JMX: " + AgentLog.rootOf(e));
      return Optional.empty();
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    manager.removeListener(this);
    bean.ifPresent(ReopensBean::close);
    if (slowMetrics != null) {
      slowMetrics.close();
    }
    if (metrics != null) {
      metrics.close();
    }
    if (name != null) {
      all.release(name);
    }
    monitor.close();
  }
}
