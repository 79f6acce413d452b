package io.weir.rate;

/**
 * Something that competes for the grants of one {@link BudgetNode}: a child budget, or the queue of
 * the threads that claim from the node itself.
 *
 * <p>The tags are those of start-time fair queueing: a flow is served in the order of start tags,
 * and each grant moves its tag on by the bytes over its weight. They are compared by difference, so
 * they may wrap around. Source: P. Goyal, H. Vin, H. Cheng, "Start-time Fair Queuing", SIGCOMM
 * 1996.
 *
 * <p><b>Threads:</b> all but the final fields are guarded by the lock of the {@link BudgetTree}.
 */
abstract sealed class Flow permits BudgetNode, RequestQueue {

  /** One byte at weight 1, in units of tag; a thousandth even of a byte at the largest weight. */
  private static final long TAG_PER_BYTE = 1 << 20;

  /** What one grant counts at most: where there is no cap, turns decide nothing. */
  private static final long MAX_COST_BYTES = ByteBudget.MAX_GRANT_BYTES;

  final int weight;

  /** Whether this stands in the ready queue of its server. */
  boolean queued;

  /** When it came there: the older goes first among equal tags. */
  long order;

  long startTag;
  long finishTag;
  private boolean served;

  Flow(int weight) {
    this.weight = weight;
  }

  /** The node that serves this; null for one that nobody else paces. */
  abstract BudgetNode server();

  /** Whether someone in it could be served now, were there tokens. */
  abstract boolean isBacklogged();

  /**
   * Joins where it left, or at the present of its server. What it missed while its thread woke up
   * and wrote is made good, up to {@code creditBytes}: else whoever asks again sooner would get
   * more. A longer time away has earned no more turns than that. Further ahead than one grant is a
   * tag of long ago, before they went round.
   */
  final void start(long virtualTag, long creditBytes) {
    boolean current = served && finishTag - virtualTag <= MAX_COST_BYTES * TAG_PER_BYTE;
    long earliestTag = current ? virtualTag - creditBytes * TAG_PER_BYTE / weight : virtualTag;
    startTag = current && finishTag - earliestTag > 0 ? finishTag : earliestTag;
  }

  /** Pays for a grant. */
  final void charge(long bytes) {
    served = true;
    finishTag = startTag + Math.min(bytes, MAX_COST_BYTES) * TAG_PER_BYTE / weight;
  }

  static int byTurn(Flow a, Flow b) {
    long ahead = a.startTag - b.startTag;
    return ahead != 0 ? Long.signum(ahead) : Long.signum(a.order - b.order);
  }
}
