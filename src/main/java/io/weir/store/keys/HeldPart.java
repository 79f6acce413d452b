package io.weir.store.keys;

import io.weir.lucene.FileRange;
import org.apache.lucene.store.IndexInput;

/**
 * A part of a file that is on the heap.
 *
 * @param copy its bytes, to clone
 */
record HeldPart(FileRange range, IndexInput copy) {}
