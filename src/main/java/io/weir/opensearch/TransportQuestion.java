package io.weir.opensearch;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.opensearch.action.FailedNodeException;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.IndicesOptions;
import org.opensearch.action.support.nodes.TransportNodesAction;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.tasks.Task;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportService;

/**
 * Takes a question to all nodes, and answers it on each. Each question has a subclass, because the
 * engine creates one object for each action.
 *
 * <p><b>Failure:</b> an index that does not exist is refused by name.
 */
abstract class TransportQuestion
    extends TransportNodesAction<Asked, Answers, Asked.OfNode, Answers.OfNode> {

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
        threads,
        cluster,
        transport,
        filters,
        Asked::new,
        Asked.OfNode::new,
        ThreadPool.Names.MANAGEMENT,
        Answers.OfNode.class);
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
  protected Answers.OfNode newNodeResponse(StreamInput in) throws IOException {
    return new Answers.OfNode(in);
  }

  @Override
  protected Answers.OfNode nodeOperation(Asked.OfNode asked) {
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
