package io.weir.lucene;

import java.io.IOException;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;

/**
 * What the caller of {@code IndexInput.slice} says about the use of the slice: nothing, or an
 * {@link IOContext} since Lucene 10.3, or a {@code ReadAdvice} in 10.0 to 10.2.
 */
public abstract sealed class SliceHint {

  /** The caller says nothing. */
  public static final SliceHint NONE = new None();

  private SliceHint() {}

  /** The caller gives a context. */
  static SliceHint of(IOContext context) {
    return new Context(context);
  }

  /** The caller gives a {@code ReadAdvice}. */
  static SliceHint ofAdvice(Object advice) {
    return new Advice(advice);
  }

  /** Takes the slice of {@code in} that was asked for, in the way it was asked for. */
  public abstract IndexInput slice(IndexInput in, String name, long offset, long length)
      throws IOException;

  /** The context; the default one if the caller gives none. */
  public IOContext context() {
    return IOContext.DEFAULT;
  }

  private static final class None extends SliceHint {

    @Override
    public IndexInput slice(IndexInput in, String name, long offset, long length)
        throws IOException {
      return in.slice(name, offset, length);
    }
  }

  private static final class Context extends SliceHint {

    private final IOContext context;

    Context(IOContext context) {
      this.context = context;
    }

    @Override
    public IndexInput slice(IndexInput in, String name, long offset, long length)
        throws IOException {
      return InputCalls.slice(in, name, offset, length, context);
    }

    @Override
    public IOContext context() {
      return context;
    }
  }

  private static final class Advice extends SliceHint {

    private final Object advice;

    Advice(Object advice) {
      this.advice = advice;
    }

    @Override
    public IndexInput slice(IndexInput in, String name, long offset, long length)
        throws IOException {
      return InputCalls.sliceByAdvice(in, name, offset, length, advice);
    }
  }
}
