package io.weir.rate;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Consumer;

/**
 * Who is served next in a tree of budgets. It is told the time and waits for nothing.
 *
 * <p>At every node the flows that have someone waiting stand in order of their tags; the next grant
 * goes down from the root along the first of each to one thread. It must find tokens at every node
 * on its way. A node that lacks them is throttled: it leaves its parent until it has them, and the
 * others go on, so no share is wasted and nobody passes one who waits for more bytes. A debited
 * node is a root of its own: what is under it asks nobody above.
 *
 * <p>Guarantees, while threads wait: (1) one queue is served in the order of arrival; (2) flows
 * that always have someone waiting get shares by weight, to within one grant of each; (3) a token
 * that someone could use is not left unused.
 *
 * <p><b>Threads:</b> none of its own; guarded by the lock of the {@link BudgetTree}. <b>Cost:</b>
 * a grant is logarithmic in the flows of each node on its way.
 */
final class FairQueue {

  /** How long after a wait all grants go through the queue, so that each counts as a turn. */
  private static final long CONTENDED_NANOS = 2_000_000;

  private final PriorityQueue<Flow> readyRoots = new PriorityQueue<>(2, Flow::byTurn);
  private final PriorityQueue<BudgetNode> throttled =
      new PriorityQueue<>(2, (a, b) -> Long.signum(a.throttledUntilNanos - b.throttledUntilNanos));
  private final List<BudgetNode> path = new ArrayList<>();
  private long arrivals;

  void add(Waiter waiter) {
    waiter.node.own.waiters.addLast(waiter);
    for (BudgetNode n = waiter.node; n != null; n = n.parent) {
      n.waitBeginsLocked(waiter);
    }
    activate(waiter.node.own);
  }

  /** Takes out one that gives up. */
  void remove(Waiter waiter, long nowNanos) {
    RequestQueue queue = waiter.node.own;
    queue.waiters.remove(waiter);
    leave(waiter, nowNanos);
    if (!queue.isBacklogged()) {
      deactivate(queue);
    }
    for (BudgetNode n = waiter.node; n != null; n = n.parent) {
      reconsider(n);
    }
  }

  /**
   * Takes a grant back from one that cannot use it. What it is owed for above a debited node stays
   * owed: how much of it was forgiven is not known any more.
   */
  void takeBack(Waiter waiter, long nowNanos) {
    boolean paced = true;
    for (BudgetNode n = waiter.node; n != null; n = n.parent) {
      paced = paced && !n.debited;
      if (paced) {
        n.giveBack(waiter.grantedBytes(), nowNanos);
      }
      n.grantTakenBackLocked();
      reconsider(n);
    }
    waiter.grant(0);
  }

  /** Grants all that can be granted by now, and tells whom. */
  void serve(long nowNanos, Consumer<Waiter> granted) {
    for (BudgetNode n = throttled.peek();
        n != null && n.throttledUntilNanos - nowNanos <= 0;
        n = throttled.peek()) {
      reconsider(n);
    }
    for (Flow root = readyRoots.peek(); root != null; root = readyRoots.peek()) {
      serveFirst((BudgetNode) root, nowNanos, granted);
    }
  }

  /** How long until {@link #serve} can grant more; {@link TokenBucket#FOREVER} when not known. */
  long nanosUntilNext(long nowNanos) {
    BudgetNode first = throttled.peek();
    return first == null ? TokenBucket.FOREVER : Math.max(0, first.throttledUntilNanos - nowNanos);
  }

  /** Who will be granted next, as far as can be told; null when that is not known. */
  Waiter next() {
    Flow flow = throttled.peek();
    while (flow instanceof BudgetNode node) {
      flow = node.ready.peek();
    }
    return flow instanceof RequestQueue queue ? queue.waiters.peekFirst() : null;
  }

  /** The node's rate or need is another one: it and the servers above it are asked again. */
  void reconsider(BudgetNode node) {
    unthrottle(node);
    if (node.isBacklogged()) {
      activate(node);
    }
  }

  /** Makes the node one that is debited, or paced again. */
  void setDebited(BudgetNode node, boolean debited) {
    BudgetNode formerServer = node.server();
    deactivate(node);
    node.debited = debited;
    reconsider(node);
    if (formerServer != null) {
      reconsider(formerServer);
    }
  }

  private void serveFirst(BudgetNode root, long nowNanos, Consumer<Waiter> granted) {
    path.clear();
    Flow flow = root;
    for (; flow instanceof BudgetNode node; flow = node.ready.peek()) {
      path.add(node);
    }
    RequestQueue queue = (RequestQueue) flow;
    Waiter waiter = queue.waiters.getFirst();
    long bytes = waiter.maxBytes;
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
    queue.waiters.removeFirst();
    waiter.grant(bytes);
    if (waiter.delayed) {
      stayContended(nowNanos);
    }
    leave(waiter, nowNanos);
    charge(queue, bytes);
    granted.accept(waiter);
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

  /** Moves every flow from the queue up to the root behind those whose turn is now. */
  private void charge(RequestQueue queue, long bytes) {
    Flow flow = queue;
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
   * Stands {@code flow} and the servers above it in line, throttled ones too: whoever is first
   * there now may need less than the one it was throttled for.
   */
  private void activate(Flow flow) {
    for (Flow f = flow; f != null; f = f.server()) {
      if (f instanceof BudgetNode node) {
        unthrottle(node);
      }
      if (!f.queued) {
        join(f, f.server());
      }
    }
  }

  /** Stands {@code flow} in line at its server; one that has none is a root. */
  private void join(Flow flow, BudgetNode server) {
    flow.order = arrivals++;
    flow.queued = true;
    if (server == null) {
      readyRoots.add(flow);
    } else {
      flow.start(server.virtualTag, server.burstBytes());
      server.ready.add(flow);
    }
  }

  /** Takes {@code flow} out of the line, and the servers above that have nobody else. */
  private void deactivate(Flow flow) {
    Flow f = flow;
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

  private static void leave(Waiter waiter, long nowNanos) {
    for (BudgetNode n = waiter.node; n != null; n = n.parent) {
      n.waitEndsLocked(waiter, nowNanos);
    }
  }
}
