package io.weir.lucene;

import org.apache.lucene.store.BufferedIndexInput;
import org.apache.lucene.store.ByteBuffersIndexInput;
import org.apache.lucene.store.FilterIndexInput;
import org.apache.lucene.store.IndexInput;

/**
 * Recognizes by its class whether an input maps its file.
 *
 * <p>Source: Lucene 10.5.1, {@code NIOFSDirectory}, {@code ByteBuffersDirectory}.
 */
public final class MappedInputs {

  private MappedInputs() {}

  /** Whether this is a Lucene input that maps nothing, so closing it needs no other thread. */
  public static boolean isNeverMapped(IndexInput input) {
    IndexInput innermost = FilterIndexInput.unwrap(input);
    return innermost instanceof BufferedIndexInput || innermost instanceof ByteBuffersIndexInput;
  }
}
