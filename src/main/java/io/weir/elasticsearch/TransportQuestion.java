package io.weir.elasticsearch;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.elasticsearch.action.ActionListener;
import org.elasticsearch.action.FailedNodeException;
import org.elasticsearch.action.support.ActionFilters;
import org.elasticsearch.action.support.IndicesOptions;
import org.elasticsearch.action.support.nodes.TransportNodesAction;
import org.elasticsearch.cluster.metadata.IndexNameExpressionResolver;
import org.elasticsearch.cluster.node.DiscoveryNode;
import org.elasticsearch.cluster.service.ClusterService;
import org.elasticsearch.common.io.stream.StreamInput;
import org.elasticsearch.injection.guice.Inject;
import org.elasticsearch.tasks.Task;
import org.elasticsearch.threadpool.ThreadPool;
import org.elasticsearch.transport.TransportService;

/**
 * Takes a question to all nodes, and answers it on each. Each question has a subclass, because the
 * engine creates one object for each action.
 *
 * <p><b>Failure:</b> an index that does not exist is refused by name.
 */
abstract class TransportQuestion
    extends TransportNodesAction<Asked, Answers, Asked.OfNode, Answers.OfNode, Void> {

  private final Question question;
  private final WeirNode node;
  private final IndexNameExpressionResolver names;

  private TransportQuestion(
      Question question,
      ThreadPool threads,
      ClusterService cluster,
      TransportService transport,
      ActionFilters filters,
      IndexNameExpressionResolver names,
      WeirNode node) {
    super(
        question.action().name(),
        cluster,
        transport,
        filters,
        Asked.OfNode::new,
        threads.executor(ThreadPool.Names.MANAGEMENT));
    this.question = question;
    this.names = names;
    this.node = node;
  }

  @Override
  protected void doExecute(Task task, Asked asked, ActionListener<Answers> listener) {
    if (asked.indexes().length > 0) {
      asked.resolved(
          names.concreteIndexNames(
              clusterService.state(), IndicesOptions.strictExpandOpen(), asked.indexes()));
      if (asked.indexes().length == 0) { // a pattern that stands for none
        listener.onResponse(new Answers(clusterService.getClusterName(), List.of(), List.of()));
        return;
      }
    }
    super.doExecute(task, asked, listener);
  }

  @Override
  protected Answers newResponse(
      Asked asked, List<Answers.OfNode> nodes, List<FailedNodeException> failures) {
    return new Answers(clusterService.getClusterName(), nodes, failures);
  }

  @Override
  protected Asked.OfNode newNodeRequest(Asked asked) {
    return new Asked.OfNode(asked);
  }

  @Override
  protected Answers.OfNode newNodeResponse(StreamInput in, DiscoveryNode from) throws IOException {
    return new Answers.OfNode(in);
  }

  @Override
  protected Answers.OfNode nodeOperation(Asked.OfNode asked, Task task) {
    Set<String> wanted = Set.copyOf(Arrays.asList(asked.indexes()));
    Map<String, Map<String, Object>> indexes = new TreeMap<>();
    for (WeirShard shard : node.shards()) {
      String index = shard.id().getIndexName();
      if (wanted.isEmpty() || wanted.contains(index)) {
        question
            .answerOf(shard)
            .ifPresent(
                answer ->
                    indexes
                        .computeIfAbsent(index, name -> new TreeMap<>())
                        .put(Integer.toString(shard.id().id()), answer));
      }
    }
    Map<String, Object> figures = question == Question.STATS ? node.figures() : Figures.of();
    figures.put("indices", indexes);
    return new Answers.OfNode(clusterService.localNode(), figures);
  }

  /** {@link Question#STATS}. */
  public static final class Stats extends TransportQuestion {

    @Inject
    public Stats(
        ThreadPool threads,
        ClusterService cluster,
        TransportService transport,
        ActionFilters filters,
        IndexNameExpressionResolver names,
        WeirNode node) {
      super(Question.STATS, threads, cluster, transport, filters, names, node);
    }
  }

  /** {@link Question#FORCED_MERGES}. */
  public static final class ForcedMerges extends TransportQuestion {

    @Inject
    public ForcedMerges(
        ThreadPool threads,
        ClusterService cluster,
        TransportService transport,
        ActionFilters filters,
        IndexNameExpressionResolver names,
        WeirNode node) {
      super(Question.FORCED_MERGES, threads, cluster, transport, filters, names, node);
    }
  }

  /** {@link Question#CANCEL}. */
  public static final class Cancel extends TransportQuestion {

    @Inject
    public Cancel(
        ThreadPool threads,
        ClusterService cluster,
        TransportService transport,
        ActionFilters filters,
        IndexNameExpressionResolver names,
        WeirNode node) {
      super(Question.CANCEL, threads, cluster, transport, filters, names, node);
    }
  }
}
