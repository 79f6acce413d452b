package io.weir.lucene;

import org.apache.lucene.store.BufferedIndexInput;
import org.apache.lucene.store.ByteBuffersIndexInput;
import org.apache.lucene.store.FilterIndexInput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.ReadOnceHint;

/**
 * What is known of an input from its class and its context.
 *
 * <p>Source: Lucene 10.5.1, {@code MMapDirectory} (a read-once mapping is confined to its thread),
 * {@code NIOFSDirectory}, {@code ByteBuffersDirectory}.
 */
public final class Inputs {

  private Inputs() {}

  /** Whether the caller reads the file once, end to end, on one thread. */
  public static boolean isReadOnce(IOContext context) {
    return context.hints().contains(ReadOnceHint.INSTANCE);
  }

  /** Whether this is an input of Lucene's that maps nothing: closing it needs no other thread. */
  public static boolean isNeverMapped(IndexInput input) {
    IndexInput innermost = FilterIndexInput.unwrap(input);
    return innermost instanceof BufferedIndexInput || innermost instanceof ByteBuffersIndexInput;
  }
}
