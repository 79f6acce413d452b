package io.weir.lucene;

import org.apache.lucene.store.BufferedIndexInput;
import org.apache.lucene.store.ByteBuffersIndexInput;
import org.apache.lucene.store.FilterIndexInput;
import org.apache.lucene.store.IndexInput;

/**
 * What is known of an input from its class.
 *
 * <p>Source: Lucene 10.5.1, {@code NIOFSDirectory}, {@code ByteBuffersDirectory}.
 */
public final class Inputs {

  private Inputs() {}

  /** Whether this is an input of Lucene's that maps nothing: closing it needs no other thread. */
  public static boolean isNeverMapped(IndexInput input) {
    IndexInput innermost = FilterIndexInput.unwrap(input);
    return innermost instanceof BufferedIndexInput || innermost instanceof ByteBuffersIndexInput;
  }
}
