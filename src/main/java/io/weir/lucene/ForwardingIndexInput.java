package io.weir.lucene;

import java.io.IOException;
import java.util.Optional;
import org.apache.lucene.store.FilterIndexInput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.RandomAccessInput;
import org.apache.lucene.store.ReadAdvice;

/**
 * Forwards all methods, including those that Lucene's own filter leaves to defaults, and those of
 * other versions of Lucene. Clones and slices are those of the input below, and so are as fast as
 * without this layer.
 *
 * <p>A subclass that treats slices in its own way overrides {@link #slice(String, long, long,
 * SliceHint)}, which every form of slicing ends in.
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
  public final IndexInput slice(String name, long offset, long length) throws IOException {
    return slice(name, offset, length, SliceHint.NONE);
  }

  @Override
  public final IndexInput slice(String name, long offset, long length, IOContext context)
      throws IOException {
    return slice(name, offset, length, SliceHint.of(context));
  }

  /** Lucene 10.0 to 10.2 call this. */
  public final IndexInput slice(String name, long offset, long length, ReadAdvice advice)
      throws IOException {
    return slice(name, offset, length, SliceHint.ofAdvice(advice));
  }

  /** Takes a slice, however it was asked for. */
  protected IndexInput slice(String name, long offset, long length, SliceHint hint)
      throws IOException {
    return hint.slice(in, name, offset, length);
  }

  @Override
  public RandomAccessInput randomAccessSlice(long offset, long length) throws IOException {
    return in.randomAccessSlice(offset, length);
  }

  @Override
  public void prefetch(long offset, long length) throws IOException {
    InputCalls.prefetch(in, offset, length);
  }

  @Override
  public void updateIOContext(IOContext context) throws IOException {
    InputCalls.updateContext(in, context);
  }

  /** Lucene 10.1 and 10.2 call this. */
  public void updateReadAdvice(ReadAdvice advice) throws IOException {
    InputCalls.updateAdvice(in, advice);
  }

  /** Lucene 10.6 calls this. */
  public boolean isEfficientFor(IOContext context) {
    return InputCalls.isEfficientFor(in, context);
  }

  @Override
  public Optional<Boolean> isLoaded() {
    return InputCalls.isLoaded(in);
  }
}
