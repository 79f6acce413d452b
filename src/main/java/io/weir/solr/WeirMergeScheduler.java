package io.weir.solr;

import io.weir.control.ThreadReadMeter;
import io.weir.merge.RateLimitedMergeScheduler;

/**
 * Runs the merges of a core, under the cap of the node:
 *
 * <pre>{@code
 * <indexConfig>
 *   <mergeScheduler class="io.weir.solr.WeirMergeScheduler"/>
 * </indexConfig>
 * }</pre>
 *
 * <p>Solr creates one for each index writer, and calls the setters that the element names, such as
 * {@code <int name="shareWeight">3</int>}. {@code bytesPerSecond} sets the cap of the whole node.
 *
 * <p><b>Threads:</b> any. <b>Ownership:</b> of the index writer. <b>Failure:</b> the constructor
 * throws {@link IllegalArgumentException} if a setting of the node is wrong, so the core does not
 * load; its message names the setting.
 */
public final class WeirMergeScheduler extends RateLimitedMergeScheduler {

  /** With the budget of the node. */
  public WeirMergeScheduler() {
    this(WeirNode.get());
  }

  private WeirMergeScheduler(WeirNode node) {
    super(node.budget());
    setYield(node.readersFirst());
    setReadMeter(new ThreadReadMeter());
    setIdleClass(node.idleClass());
    setProcessorShare(node.processors());
  }
}
