package io.weir.lucene;

import java.io.IOException;
import java.util.Optional;
import org.apache.lucene.store.FilterIndexInput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.RandomAccessInput;

/**
 * Forwards all methods, including those that Lucene's own filter leaves to defaults. Clones and
 * slices are those of the input below, and so are as fast as without this layer.
 */
public abstract class ForwardingIndexInput extends FilterIndexInput {

  /** Forwards to {@code in}, under its description. */
  protected ForwardingIndexInput(IndexInput in) {
    super(in.toString(), in);
  }

  @Override
  public IndexInput clone() {
    return in.clone();
  }

  @Override
  public IndexInput slice(String name, long offset, long length) throws IOException {
    return in.slice(name, offset, length);
  }

  @Override
  public IndexInput slice(String name, long offset, long length, IOContext context)
      throws IOException {
    return in.slice(name, offset, length, context);
  }

  @Override
  public RandomAccessInput randomAccessSlice(long offset, long length) throws IOException {
    return in.randomAccessSlice(offset, length);
  }

  @Override
  public void prefetch(long offset, long length) throws IOException {
    in.prefetch(offset, length);
  }

  @Override
  public void updateIOContext(IOContext context) throws IOException {
    in.updateIOContext(context);
  }

  @Override
  public Optional<Boolean> isLoaded() {
    return in.isLoaded();
  }
}
