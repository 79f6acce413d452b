package io.weir.merge;

import io.weir.lucene.SegmentFiles;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.FilterIndexOutput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;

/**
 * Applies Lucene's own rate limiter to a directory, and also to temporary files, which Lucene
 * omits. What a merge writes of vectors while it has a graph passes the limiter by: Lucene stops a
 * large merge for smaller ones, and these may wait for the memory of that graph.
 *
 * <p>Lucene's wrapper limits the outputs that {@code createOutput} returns. So this creates a file
 * first, then calls the wrapper's {@code createOutput} with its name, which returns that file.
 *
 * <p><b>Threads:</b> as the directory below.
 */
final class LuceneLimitedDirectory extends FilterDirectory {

  private final Directory below;
  private final Map<String, IndexOutput> handedOver;
  private final IOContext mergeContext;
  private final BooleanSupplier passesBy;

  /**
   * Wraps a directory.
   *
   * @param lucene Lucene's wrapper, from the scheduler
   * @param mergeContext the context for temporary files, because the wrapper requires a merge's
   * @param passesBy whether the limiter does not apply now; asked before each write
   */
  static Directory wrap(
      Directory in,
      UnaryOperator<Directory> lucene,
      IOContext mergeContext,
      BooleanSupplier passesBy) {
    Map<String, IndexOutput> handedOver = new ConcurrentHashMap<>();
    Directory limited = lucene.apply(new HandOver(in, handedOver));
    return new LuceneLimitedDirectory(limited, in, handedOver, mergeContext, passesBy);
  }

  private LuceneLimitedDirectory(
      Directory limited,
      Directory below,
      Map<String, IndexOutput> handedOver,
      IOContext mergeContext,
      BooleanSupplier passesBy) {
    super(limited);
    this.below = below;
    this.handedOver = handedOver;
    this.mergeContext = mergeContext;
    this.passesBy = passesBy;
  }

  @Override
  public IndexOutput createOutput(String name, IOContext context) throws IOException {
    if (!SegmentFiles.isOfVectors(name)) {
      return in.createOutput(name, context);
    }
    IndexOutput output = below.createOutput(name, context);
    return new TwoWays(output, limited(output, context));
  }

  @Override
  public IndexOutput createTempOutput(String prefix, String suffix, IOContext context)
      throws IOException {
    return limited(below.createTempOutput(prefix, suffix, context), mergeContext);
  }

  private IndexOutput limited(IndexOutput output, IOContext context) throws IOException {
    handedOver.put(output.getName(), output);
    return in.createOutput(output.getName(), context);
  }

  /** Two ways to one file, whose position and checksum do not depend on the way. */
  private final class TwoWays extends FilterIndexOutput {

    private final IndexOutput slow;

    TwoWays(IndexOutput out, IndexOutput slow) {
      super("LuceneLimitedOutput(" + out + ")", out.getName(), out);
      this.slow = slow;
    }

    private IndexOutput way() {
      return passesBy.getAsBoolean() ? out : slow;
    }

    @Override
    public void writeByte(byte b) throws IOException {
      way().writeByte(b);
    }

    @Override
    public void writeBytes(byte[] b, int offset, int length) throws IOException {
      way().writeBytes(b, offset, length);
    }

    @Override
    public void writeShort(short i) throws IOException {
      way().writeShort(i);
    }

    @Override
    public void writeInt(int i) throws IOException {
      way().writeInt(i);
    }

    @Override
    public void writeLong(long i) throws IOException {
      way().writeLong(i);
    }

    @Override
    public void close() throws IOException {
      slow.close(); // and with it the file
    }
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
