package io.weir.rate;

import io.weir.rate.RequestQueue.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Consumer;

/**
 * Decides which request is served next in a tree of budgets. Callers pass the time in; nothing here
 * waits.
 *
 * <p>At every node, the flows with waiting requests are ordered by their tags. The next grant
 * follows the first flow of each node from the root down to one request, and needs tokens at every
 * node on its path. A node without enough tokens is throttled: it leaves its parent's queue until
 * it has them, while the others continue. So no share is wasted, and a small request cannot
 * overtake a larger one. A debited node is a root of its own, because requests below it need no
 * tokens from above.
 *
 * <p>Guarantees, while threads wait: (1) each queue is served in order of arrival; (2) flows that
 * are always backlogged get shares by weight, to within one grant each; (3) a token that a request
 * could use is not left unused.
 *
 * <p><b>Threads:</b> guarded by the lock of the {@link BudgetTree}. <b>Cost:</b> a grant is
 * logarithmic in the number of flows of each node on its path.
 */
final class FairQueue {

  /** For so long after a wait all grants go through the queue, so that each counts as a turn. */
  private static final long CONTENDED_NANOS = 2_000_000;

  private final PriorityQueue<Flow<BudgetNode>> readyRoots = new PriorityQueue<>(2, Flow::byTurn);
  private final PriorityQueue<BudgetNode> throttled =
      new PriorityQueue<>(2, (a, b) -> Long.signum(a.throttledUntilNanos - b.throttledUntilNanos));
  private final List<BudgetNode> path = new ArrayList<>();
  private long arrivals;

  void add(Request request) {
    request.queue.requests.addLast(request);
    for (BudgetNode n = request.node(); n != null; n = n.parent) {
      n.waitBeginsLocked(request.sinceNanos);
    }
    activate(request.queue);
  }

  /** Removes a request that gives up. */
  void remove(Request request, long nowNanos) {
    RequestQueue queue = request.queue;
    queue.requests.remove(request);
    leave(request, nowNanos);
    if (!queue.isBacklogged()) {
      deactivate(queue);
    }
    for (BudgetNode n = request.node(); n != null; n = n.parent) {
      reconsider(n);
    }
  }

  /**
   * Takes a grant back from a request that cannot use it. A debt above a debited node remains,
   * because the part of it that was forgiven is no longer known.
   */
  void takeBack(Request request, long nowNanos) {
    boolean paced = true;
    for (BudgetNode n = request.node(); n != null; n = n.parent) {
      paced = paced && !n.debited;
      if (paced) {
        n.giveBack(request.grantedBytes(), nowNanos);
      }
      n.grantTakenBackLocked();
      reconsider(n);
    }
    request.grant(0);
  }

  /** Grants all requests that can be granted now, and passes each to {@code granted}. */
  void serve(long nowNanos, Consumer<Request> granted) {
    for (BudgetNode n = throttled.peek();
        n != null && n.throttledUntilNanos - nowNanos <= 0;
        n = throttled.peek()) {
      reconsider(n);
    }
    for (Flow<BudgetNode> root = readyRoots.peek(); root != null; root = readyRoots.peek()) {
      serveFirst((BudgetNode) root, nowNanos, granted);
    }
  }

  /** How long until {@link #serve} can grant more; {@link TokenBucket#FOREVER} when unknown. */
  long nanosUntilNext(long nowNanos) {
    BudgetNode first = throttled.peek();
    return first == null ? TokenBucket.FOREVER : Math.max(0, first.throttledUntilNanos - nowNanos);
  }

  /** The request that will probably be granted next; null when unknown. */
  Request next() {
    Flow<BudgetNode> flow = throttled.peek();
    while (flow instanceof BudgetNode node) {
      flow = node.ready.peek();
    }
    return flow instanceof RequestQueue queue ? queue.requests.peekFirst() : null;
  }

  /** Checks a node and the servers above it again, after a change of its rate or its demand. */
  void reconsider(BudgetNode node) {
    unthrottle(node);
    if (node.isBacklogged()) {
      activate(node);
    }
  }

  /** Makes the node debited, or paced again. */
  void setDebited(BudgetNode node, boolean debited) {
    BudgetNode formerServer = node.server();
    deactivate(node);
    node.debited = debited;
    reconsider(node);
    if (formerServer != null) {
      reconsider(formerServer);
    }
  }

  private void serveFirst(BudgetNode root, long nowNanos, Consumer<Request> granted) {
    path.clear();
    Flow<BudgetNode> flow = root;
    for (; flow instanceof BudgetNode node; flow = node.ready.peek()) {
      path.add(node);
    }
    RequestQueue queue = (RequestQueue) flow;
    Request request = queue.requests.getFirst();
    long bytes = request.maxBytes;
    for (BudgetNode node : path) {
      bytes = node.debited ? bytes : Math.min(bytes, node.bucket().maxGrantBytes());
    }
    for (int i = 0; i < path.size(); i++) {
      BudgetNode node = path.get(i);
      if (!node.debited && !node.tryTake(bytes, nowNanos)) {
        giveBack(path.subList(0, i), bytes, nowNanos);
        throttle(node, bytes, nowNanos);
        return;
      }
    }
    for (BudgetNode n = root.debited ? root : null; n != null; n = n.parent) {
      n.debit(bytes, nowNanos);
    }
    queue.requests.removeFirst();
    request.grant(bytes);
    if (request.delayed) {
      stayContended(nowNanos);
    }
    leave(request, nowNanos);
    charge(queue, bytes);
    granted.accept(request);
  }

  private void stayContended(long nowNanos) {
    for (BudgetNode node : path) {
      node.contendedUntilNanos = nowNanos + CONTENDED_NANOS;
    }
  }

  private static void giveBack(List<BudgetNode> taken, long bytes, long nowNanos) {
    for (BudgetNode node : taken) {
      if (!node.debited) {
        node.giveBack(bytes, nowNanos);
      }
    }
  }

  /** Charges every flow from the queue up to the root, which moves each behind its competitors. */
  private void charge(RequestQueue queue, long bytes) {
    Flow<BudgetNode> flow = queue;
    for (BudgetNode server = flow.server(); server != null; server = flow.server()) {
      server.ready.remove(flow);
      if (flow.startTag - server.virtualTag > 0) {
        server.virtualTag = flow.startTag;
      }
      flow.charge(bytes);
      flow.queued = false;
      if (flow.isBacklogged()) {
        join(flow, server);
      }
      flow = server;
    }
    if (!flow.isBacklogged()) {
      deactivate(flow);
    }
  }

  private void throttle(BudgetNode node, long bytes, long nowNanos) {
    deactivate(node);
    node.throttled = true;
    long waitNanos = node.bucket().nanosUntil(bytes, nowNanos);
    if (waitNanos != TokenBucket.FOREVER) {
      node.throttledUntilNanos = nowNanos + waitNanos;
      throttled.add(node);
    }
  }

  private void unthrottle(BudgetNode node) {
    if (node.throttled) {
      throttled.remove(node);
      node.throttled = false;
    }
  }

  /**
   * Queues {@code flow} and the servers above it, including throttled ones: the first request may
   * now need fewer bytes than the one that they were throttled for.
   */
  private void activate(Flow<BudgetNode> flow) {
    for (Flow<BudgetNode> f = flow; f != null; f = f.server()) {
      if (f instanceof BudgetNode node) {
        unthrottle(node);
      }
      if (!f.queued) {
        join(f, f.server());
      }
    }
  }

  /** Queues {@code flow} at its server; a flow without a server is a root. */
  private void join(Flow<BudgetNode> flow, BudgetNode server) {
    flow.order = arrivals++;
    flow.queued = true;
    if (server == null) {
      readyRoots.add(flow);
    } else {
      flow.start(server.virtualTag, server.burstBytes());
      server.ready.add(flow);
    }
  }

  /**
   * Removes {@code flow} from its server's queue, and so on upwards where no other flow is left.
   */
  private void deactivate(Flow<BudgetNode> flow) {
    Flow<BudgetNode> f = flow;
    while (f != null && f.queued) {
      BudgetNode server = f.server();
      (server == null ? readyRoots : server.ready).remove(f);
      f.queued = false;
      f = server == null || server.isBacklogged() ? null : server;
    }
    if (f instanceof BudgetNode empty && empty.throttled) {
      unthrottle(empty);
    }
  }

  private static void leave(Request request, long nowNanos) {
    for (BudgetNode n = request.node(); n != null; n = n.parent) {
      n.waitEndsLocked(request.sinceNanos);
      if (request.delayed) {
        n.countDelayLocked(nowNanos - request.sinceNanos, request.isGranted());
      }
    }
  }
}
