package io.weir.store;

import io.weir.lucene.OpenHints;
import java.io.IOException;
import java.util.Set;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;

/**
 * A directory in which a merge can be held up, or ended, while it verifies its input: then it reads
 * every file from end to end and writes nothing, and Lucene looks for an abort only when it writes.
 *
 * <p>What a merge verifies with asks {@link MergeReadPacing} before each piece. Searches read as
 * fast as without this. Of what a merge reads besides, stored fields and term vectors pass one call
 * more, and each clone that its thread makes of a file looks once at its caller.
 *
 * <p>Put it above a {@link SmallFilesDirectory} and below a {@link WritebackDirectory}.
 *
 * <p><b>Threads, failure, ownership:</b> as the directory below; a merge's read throws what its
 * pacer throws.
 *
 * <p>Source: Lucene 10.5.1, {@code CodecUtil.checksumEntireFile}, which reads a clone that it makes
 * itself.
 */
public final class PacedMergeReadsDirectory extends ForwardingDirectory {

  /** A shorter file is read at once. */
  private static final long LEAST_BYTES = 1 << 20;

  /** Files of which a merge verifies a clone that it has made before: stored fields, vectors. */
  private static final Set<String> CLONED_BEFORE = Set.of("fdt", "tvd");

  private static final String VERIFIES = "checksumEntireFile";
  private static final StackWalker STACK = StackWalker.getInstance();

  private final long leastBytes;

  /** Over the files of an index. */
  public PacedMergeReadsDirectory(Directory in) {
    this(in, LEAST_BYTES);
  }

  PacedMergeReadsDirectory(Directory in, long leastBytes) {
    super(in);
    this.leastBytes = leastBytes;
  }

  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    IndexInput input = in.openInput(name, context);
    if (OpenHints.isReadOnce(context) || input.length() < leastBytes) {
      return input;
    }
    String extension = IndexFileNames.getExtension(name);
    return new SharedInput(input, extension != null && CLONED_BEFORE.contains(extension));
  }

  /** What searches and merges make their clones of. */
  private static final class SharedInput extends ForwardingIndexInput {

    private final boolean clonedBefore;

    SharedInput(IndexInput in, boolean clonedBefore) {
      super(in);
      this.clonedBefore = clonedBefore;
    }

    @Override
    public IndexInput clone() {
      IndexInput clone = in.clone();
      MergeReadPacing.Pacer pacer = MergeReadPacing.current();
      if (pacer == null) {
        return clone;
      }
      if (isToVerify()) {
        return new PacedMergeReadInput(clone, pacer);
      }
      return clonedBefore ? new SharedInput(clone, true) : clone;
    }

    private static boolean isToVerify() {
      return STACK.walk(
          frames ->
              frames
                  .skip(2) // this and clone
                  .findFirst()
                  .map(frame -> frame.getMethodName().equals(VERIFIES))
                  .orElse(false));
    }
  }
}
