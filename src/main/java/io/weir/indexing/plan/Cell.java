package io.weir.indexing.plan;

import io.weir.stress.plan.Arm;

/**
 * One point of the matrix.
 *
 * @param threads that index
 * @param ramBufferBytes what the writer buffers before it flushes
 */
public record Cell(Arm arm, int threads, long ramBufferBytes) {

  /** Its place in the result. */
  public CellKey key() {
    return new CellKey(arm.name(), threads, ramBufferBytes);
  }
}
