package io.weir.agent.lucene;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.weir.agent.AgentLog;
import io.weir.jmx.MergesBean;
import io.weir.merge.MergeActivity;
import io.weir.merge.MergeTotals;
import io.weir.metrics.DirectoryMetrics;
import io.weir.metrics.MergeMetrics;
import java.util.List;
import java.util.Optional;
import org.apache.lucene.store.Directory;

/**
 * The meters and the bean of one open writer.
 *
 * <p><b>Ownership:</b> owns both, and not the writer.
 */
final class MeasuredWriter implements AutoCloseable {

  private final MergeActivity merges;
  private final MergeMetrics mergeMetrics;
  private final DirectoryMetrics directoryMetrics;
  private final Optional<MergesBean> bean;

  /** With {@code name}, which no other open writer has. */
  MeasuredWriter(String name, MergeActivity merges, Directory directory, MeterRegistry registry) {
    Tags tags = Tags.of("index", name);
    this.merges = merges;
    this.mergeMetrics = new MergeMetrics(merges, tags);
    this.directoryMetrics = new DirectoryMetrics(directory, tags);
    mergeMetrics.bindTo(registry);
    directoryMetrics.bindTo(registry);
    this.bean = bean(name, merges);
  }

  /** The running merges, for the causes of slow reopens. */
  List<String> running() {
    return merges.running().stream().map(MeasuredWriter::describe).toList();
  }

  private static String describe(MergeTotals merge) {
    return merge.kind() + " " + merge.segment().orElse("?");
  }

  private static Optional<MergesBean> bean(String name, MergeActivity merges) {
    try {
      return Optional.of(MergesBean.register(merges, name));
    } catch (RuntimeException | LinkageError e) {
      AgentLog.say("no JMX: " + AgentLog.rootOf(e));
      return Optional.empty();
    }
  }

  @Override
  public void close() {
    mergeMetrics.close();
    directoryMetrics.close();
    bean.ifPresent(MergesBean::close);
  }
}
