package io.weir.lucene;

import java.lang.invoke.MethodHandle;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.lucene.store.FlushInfo;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.MergeInfo;

/**
 * Recognizes from the context of an open how the file will be used.
 *
 * <p>{@link IOContext} is an interface since Lucene 10.3, a record in 10.0 to 10.2, and a class
 * with public fields in 9.12. All uses go through this class.
 *
 * <p>Source: Lucene 9.12.3, 10.2.2 and 10.5.1, {@code IOContext}, {@code
 * MemorySegmentIndexInputProvider.openInput}, {@code ReadersAndUpdates.getReaderForMerge}.
 */
public final class OpenHints {

  /** Why a file is written or opened. */
  public enum Purpose {
    /** A merge writes it, or opens it because it is about to read it. */
    MERGE,
    /** A flush writes it, or {@code addIndexes(Directory...)} copies it. */
    FLUSH,
    /** Anything else. */
    OTHER
  }

  private static final MethodHandle CONTEXT =
      Link.property(IOContext.class, "context", IOContext.Context.class);
  private static final MethodHandle MERGE_INFO =
      Link.property(IOContext.class, "mergeInfo", MergeInfo.class);
  private static final MethodHandle FLUSH_INFO =
      Link.property(IOContext.class, "flushInfo", FlushInfo.class);
  private static final MethodHandle MERGE_BYTES =
      Link.property(MergeInfo.class, "estimatedMergeBytes", long.class);
  private static final MethodHandle FLUSH_BYTES =
      Link.property(FlushInfo.class, "estimatedSegmentSize", long.class);

  /** Null before 10.3. */
  private static final MethodHandle HINTS =
      Link.method(IOContext.class, "hints", Set.class).orElse(null);

  /** Null before 10.3. */
  private static final Object READ_ONCE =
      Link.type("org.apache.lucene.store.ReadOnceHint")
          .map(Class::getEnumConstants)
          .map(constants -> constants[0])
          .orElse(null);

  private OpenHints() {}

  /**
   * Whether the caller reads the file once, from end to end, and closes it. Such a mapping is
   * confined to the thread. Before 10.3 only {@link IOContext#READONCE} itself says so.
   */
  public static boolean isReadOnce(IOContext context) {
    if (context == IOContext.READONCE || HINTS == null) {
      return context == IOContext.READONCE;
    }
    try {
      return ((Set<?>) HINTS.invokeExact(context)).contains(READ_ONCE);
    } catch (Throwable e) {
      throw Link.<RuntimeException>thrown(e);
    }
  }

  /** Why the file is written or opened. */
  public static Purpose purpose(IOContext context) {
    try {
      IOContext.Context known = (IOContext.Context) CONTEXT.invokeExact(context);
      return switch (known) {
        case MERGE -> Purpose.MERGE;
        case FLUSH -> Purpose.FLUSH;
        default -> Purpose.OTHER; // READ in 9.12
      };
    } catch (Throwable e) {
      throw Link.<RuntimeException>thrown(e);
    }
  }

  /** Whether a merge writes the file, or opens it because it is about to read it. */
  public static boolean isForMerge(IOContext context) {
    return purpose(context) == Purpose.MERGE;
  }

  /** What the merge is expected to write; empty if no merge writes the file. */
  public static OptionalLong mergeBytes(IOContext context) {
    try {
      MergeInfo merge = (MergeInfo) MERGE_INFO.invokeExact(context);
      return merge == null
          ? OptionalLong.empty()
          : OptionalLong.of((long) MERGE_BYTES.invokeExact(merge));
    } catch (Throwable e) {
      throw Link.<RuntimeException>thrown(e);
    }
  }

  /** What the flush is expected to write; empty if no flush writes the file. */
  public static OptionalLong flushBytes(IOContext context) {
    try {
      FlushInfo flush = (FlushInfo) FLUSH_INFO.invokeExact(context);
      return flush == null
          ? OptionalLong.empty()
          : OptionalLong.of((long) FLUSH_BYTES.invokeExact(flush));
    } catch (Throwable e) {
      throw Link.<RuntimeException>thrown(e);
    }
  }
}
