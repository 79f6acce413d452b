package io.weir.merge;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;

/**
 * Applies Lucene's own rate limiter to a directory, and also to temporary files, which Lucene
 * omits.
 *
 * <p>Lucene's wrapper limits the outputs that {@code createOutput} returns. So this creates a
 * temporary file first, then calls the wrapper's {@code createOutput} with its name, which returns
 * that file.
 *
 * <p><b>Threads:</b> as the directory below.
 */
final class LuceneLimitedDirectory extends FilterDirectory {

  private final Map<String, IndexOutput> handedOver;
  private final IOContext mergeContext;

  /**
   * Wraps a directory.
   *
   * @param lucene Lucene's wrapper, from the scheduler
   * @param mergeContext the context for temporary files, because the wrapper requires a merge's
   */
  static Directory wrap(Directory in, UnaryOperator<Directory> lucene, IOContext mergeContext) {
    Map<String, IndexOutput> handedOver = new ConcurrentHashMap<>();
    Directory limited = lucene.apply(new HandOver(in, handedOver));
    return new LuceneLimitedDirectory(limited, handedOver, mergeContext);
  }

  private LuceneLimitedDirectory(
      Directory limited, Map<String, IndexOutput> handedOver, IOContext mergeContext) {
    super(limited);
    this.handedOver = handedOver;
    this.mergeContext = mergeContext;
  }

  @Override
  public IndexOutput createTempOutput(String prefix, String suffix, IOContext context)
      throws IOException {
    IndexOutput output = in.createTempOutput(prefix, suffix, context);
    handedOver.put(output.getName(), output);
    return in.createOutput(output.getName(), mergeContext);
  }

  /** The directory below Lucene's wrapper. */
  private static final class HandOver extends FilterDirectory {

    private final Map<String, IndexOutput> handedOver;

    HandOver(Directory in, Map<String, IndexOutput> handedOver) {
      super(in);
      this.handedOver = handedOver;
    }

    @Override
    public IndexOutput createOutput(String name, IOContext context) throws IOException {
      IndexOutput output = handedOver.remove(name);
      return output == null ? in.createOutput(name, context) : output;
    }
  }
}
