package io.weir.rate;

/**
 * Something that competes for the grants of one server: a child budget competes for those of its
 * parent, and so does the queue of the requests made to the parent directly.
 *
 * <p>The tags are those of start-time fair queueing: flows are served in the order of their start
 * tags, and each grant advances a flow's tag by the bytes divided by its weight. Tags are compared
 * by difference, so they may wrap around. Source: P. Goyal, H. Vin, H. Cheng, "Start-time Fair
 * Queuing", SIGCOMM 1996.
 *
 * <p><b>Threads:</b> the lock of the tree guards all fields.
 *
 * @param <S> the server
 */
abstract class Flow<S> {

  /** One byte at weight 1 in tag units; fine enough for one byte at the largest weight. */
  private static final long TAG_PER_BYTE = 1 << 20;

  /** The most that one grant counts: without a cap, turns do not matter. */
  private static final long MAX_COST_BYTES = TokenBucket.MAX_GRANT_BYTES;

  private int weight;

  /** Whether this is in the ready queue of its server. */
  boolean queued;

  /** Its arrival number there: among equal tags the older flow goes first. */
  long order;

  long startTag;
  long finishTag;
  private boolean served;

  Flow(int weight) {
    this.weight = weight;
  }

  /** The weight of the grants from now on. */
  final void setWeight(int weight) {
    this.weight = weight;
  }

  /** The server of this flow; null if nothing above paces it. */
  abstract S server();

  /** Whether a request in it could be served now, if there were tokens. */
  abstract boolean isBacklogged();

  /**
   * Joins at its former tag, or at the server's current one. A flow gets back the turns that it
   * missed while its thread woke up and wrote, up to {@code creditBytes}; otherwise threads that
   * ask again sooner would get more. A longer absence earns no more than that. A tag further ahead
   * than one grant is stale: the tags have wrapped around since.
   */
  final void start(long virtualTag, long creditBytes) {
    boolean current = served && finishTag - virtualTag <= MAX_COST_BYTES * TAG_PER_BYTE;
    long earliestTag = current ? virtualTag - creditBytes * TAG_PER_BYTE / weight : virtualTag;
    startTag = current && finishTag - earliestTag > 0 ? finishTag : earliestTag;
  }

  /** Charges a grant to this flow. */
  final void charge(long bytes) {
    served = true;
    finishTag = startTag + Math.min(bytes, MAX_COST_BYTES) * TAG_PER_BYTE / weight;
  }

  static int byTurn(Flow<?> a, Flow<?> b) {
    long ahead = a.startTag - b.startTag;
    return ahead != 0 ? Long.signum(ahead) : Long.signum(a.order - b.order);
  }
}
