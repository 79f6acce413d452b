package io.weir.why;

import io.weir.rest.EngineException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What the nodes of a cluster say of themselves, by the calls of an engine. All calls only read,
 * and ask for no document, no query and no name of an index.
 *
 * <p><b>Threads:</b> one at a time. <b>Failure:</b> as {@link io.weir.rest.EngineClient}.
 */
interface ClusterApi {

  /** Bad request, not found, method not allowed. */
  Set<Integer> UNKNOWN = Set.of(400, 404, 405);

  /**
   * A node.
   *
   * @param address of its machine, as the node knows it
   * @param pid of its process on that machine; empty if the engine does not say
   * @param startMillis when its JVM began, of the wall clock
   */
  record Node(String id, String name, String address, OptionalLong pid, OptionalLong startMillis) {}

  /**
   * What does not change while it is looked at.
   *
   * @param about what it is, by name
   * @param unseen what it does not say, in sentences
   */
  record Described(
      Map<String, String> about, Map<Fact, Double> facts, List<Node> nodes, List<String> unseen) {}

  /** Asks who is there. */
  Described describe() throws IOException, InterruptedException;

  /** What each node counts, by its id. */
  Map<String, Map<NodeWatch.Counter, Double>> counters() throws IOException, InterruptedException;

  /** The threads of each node at one moment, by its id. */
  Map<String, List<ThreadDump.Thread>> stacks() throws IOException, InterruptedException;

  /** What a user needs who asks that, for a message. */
  String privilege();

  /** Whether another program answers: it does not know what it is asked for. */
  static boolean isOfAnother(EngineException refusal) {
    return UNKNOWN.contains(refusal.status());
  }
}
