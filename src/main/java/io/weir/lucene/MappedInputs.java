package io.weir.lucene;

import org.apache.lucene.store.BufferedIndexInput;
import org.apache.lucene.store.ByteBuffersIndexInput;
import org.apache.lucene.store.FilterIndexInput;
import org.apache.lucene.store.IndexInput;

/**
 * Whether an input maps its file, as its class tells.
 *
 * <p>Source: Lucene 10.5.1, {@code NIOFSDirectory}, {@code ByteBuffersDirectory}.
 */
public final class MappedInputs {

  private MappedInputs() {}

  /** Whether this is an input of Lucene's that maps nothing: closing it needs no other thread. */
  public static boolean isNeverMapped(IndexInput input) {
    IndexInput innermost = FilterIndexInput.unwrap(input);
    return innermost instanceof BufferedIndexInput || innermost instanceof ByteBuffersIndexInput;
  }
}
