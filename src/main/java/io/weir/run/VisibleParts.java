package io.weir.run;

/**
 * Where the time goes from handing a document over to finding it: the means over some writes. They
 * follow each other and add up to the mean of the whole.
 *
 * <p><b>Units:</b> milliseconds.
 *
 * @param sendMillis from when the write was due until it was sent, because an earlier one was not
 *     answered yet
 * @param writeMillis from then until it was answered: Lucene, or the engine, has it
 * @param nextReopenMillis from then until the next reopen was due
 * @param lockMillis from then until that reopen could begin, because an earlier one still ran
 * @param reopenMillis from then until the new searcher was there
 */
public record VisibleParts(
    double sendMillis,
    double writeMillis,
    double nextReopenMillis,
    double lockMillis,
    double reopenMillis) {

  /** All of them. */
  public double totalMillis() {
    return sendMillis + writeMillis + nextReopenMillis + lockMillis + reopenMillis;
  }
}
