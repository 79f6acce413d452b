package io.weir.store.keys;

import io.weir.lucene.FileRange;
import java.util.List;
import org.apache.lucene.store.IndexInput;

/**
 * The parts of a file that are on the heap, or all of it.
 *
 * <p><b>Threads:</b> any.
 */
final class HeapParts {

  private final List<HeldPart> parts;
  private final boolean whole;

  private HeapParts(List<HeldPart> parts, boolean whole) {
    this.parts = parts;
    this.whole = whole;
  }

  /** All of a file. */
  static HeapParts whole(IndexInput copy) {
    return new HeapParts(List.of(new HeldPart(FileRange.ofFile(copy.length()), copy)), true);
  }

  /**
   * Parts of a file.
   *
   * @param parts ascending; they do not overlap
   */
  static HeapParts of(List<HeldPart> parts) {
    return new HeapParts(List.copyOf(parts), false);
  }

  boolean isWhole() {
    return whole;
  }

  /**
   * The file, to clone or slice, and not to read.
   *
   * @param file what the parts were copied from; clones of it are read where there is no part
   */
  IndexInput over(IndexInput file) {
    return whole ? parts.getFirst().copy() : new PartlyHeldInput(file, parts);
  }
}
