package io.weir.lucene;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.Optional;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;

/**
 * Calls the methods of an {@link IndexInput} that not every version of Lucene has.
 *
 * <p>Where a version lacks a method, Lucene does not call it on a layer of Weir either. So a method
 * that only passes a request on is never called there. Weir itself calls {@link #isLoaded}, which
 * works in every version.
 *
 * <p>Source: {@code IndexInput} of Lucene 9.12.3 to 10.6.0.
 */
public final class InputCalls {

  /** Since 10.0. */
  private static final MethodHandle PREFETCH =
      Link.method(IndexInput.class, "prefetch", void.class, long.class, long.class).orElse(null);

  /** Since 10.1. */
  private static final MethodHandle IS_LOADED =
      Link.method(IndexInput.class, "isLoaded", Optional.class).orElse(null);

  /** Since 10.3. */
  private static final MethodHandle SLICE_BY_CONTEXT =
      Link.method(
              IndexInput.class,
              "slice",
              IndexInput.class,
              String.class,
              long.class,
              long.class,
              IOContext.class)
          .orElse(null);

  /** Since 10.3. */
  private static final MethodHandle UPDATE_CONTEXT =
      Link.method(IndexInput.class, "updateIOContext", void.class, IOContext.class).orElse(null);

  /** Since 10.6. */
  private static final MethodHandle IS_EFFICIENT_FOR =
      Link.method(IndexInput.class, "isEfficientFor", boolean.class, IOContext.class).orElse(null);

  /** In 10.0 to 10.2. */
  private static final MethodHandle SLICE_BY_ADVICE =
      byAdvice("slice", IndexInput.class, String.class, long.class, long.class);

  /** In 10.1 and 10.2. */
  private static final MethodHandle UPDATE_ADVICE = byAdvice("updateReadAdvice", void.class);

  private InputCalls() {}

  /** Whether a slice can be asked for with a context. */
  static boolean canSliceByContext() {
    return SLICE_BY_CONTEXT != null;
  }

  /** Asks for a part of the file in advance. */
  public static void prefetch(IndexInput in, long offset, long length) throws IOException {
    try {
      PREFETCH.invokeExact(in, offset, length);
    } catch (Throwable e) {
      throw Link.<IOException>thrown(e);
    }
  }

  /** Whether a read would not wait for the disk; empty if that is unknown. */
  @SuppressWarnings("unchecked")
  public static Optional<Boolean> isLoaded(IndexInput in) {
    if (IS_LOADED == null) {
      return Optional.empty();
    }
    try {
      return (Optional<Boolean>) IS_LOADED.invokeExact(in);
    } catch (Throwable e) {
      throw Link.<RuntimeException>thrown(e);
    }
  }

  static IndexInput slice(IndexInput in, String name, long offset, long length, IOContext context)
      throws IOException {
    try {
      return (IndexInput) SLICE_BY_CONTEXT.invokeExact(in, name, offset, length, context);
    } catch (Throwable e) {
      throw Link.<IOException>thrown(e);
    }
  }

  static IndexInput sliceByAdvice(
      IndexInput in, String name, long offset, long length, Object advice) throws IOException {
    try {
      return (IndexInput) SLICE_BY_ADVICE.invokeExact(in, name, offset, length, advice);
    } catch (Throwable e) {
      throw Link.<IOException>thrown(e);
    }
  }

  static void updateContext(IndexInput in, IOContext context) throws IOException {
    try {
      UPDATE_CONTEXT.invokeExact(in, context);
    } catch (Throwable e) {
      throw Link.<IOException>thrown(e);
    }
  }

  static void updateAdvice(IndexInput in, Object advice) throws IOException {
    try {
      UPDATE_ADVICE.invokeExact(in, advice);
    } catch (Throwable e) {
      throw Link.<IOException>thrown(e);
    }
  }

  static boolean isEfficientFor(IndexInput in, IOContext context) {
    try {
      return (boolean) IS_EFFICIENT_FOR.invokeExact(in, context);
    } catch (Throwable e) {
      throw Link.<RuntimeException>thrown(e);
    }
  }

  /**
   * A method whose last parameter is a {@code ReadAdvice}, here an {@code Object}: 9.12 has no such
   * class, so no code that runs there may name it.
   */
  private static MethodHandle byAdvice(String name, Class<?> result, Class<?>... parameters) {
    return Link.type("org.apache.lucene.store.ReadAdvice")
        .flatMap(
            advice -> {
              Class<?>[] all = Arrays.copyOf(parameters, parameters.length + 1);
              all[parameters.length] = advice;
              return Link.method(IndexInput.class, name, result, all);
            })
        .map(
            method ->
                method.asType(
                    method.type().changeParameterType(parameters.length + 1, Object.class)))
        .orElse(null);
  }
}
