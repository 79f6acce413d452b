package io.weir.merge;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.FilterIndexOutput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;

/** Cancels the forced merge at the n-th creation, write or close of a file, and remembers which. */
final class AbortingDirectory extends FilterDirectory {

  private final AtomicInteger left;
  private final RateLimitedMergeScheduler scheduler;
  private volatile String struckAt = "";

  AbortingDirectory(Directory in, int step, RateLimitedMergeScheduler scheduler) {
    super(in);
    this.left = new AtomicInteger(step);
    this.scheduler = scheduler;
  }

  /** The file it was at; empty if it did not come to that. */
  String struckAt() {
    return struckAt;
  }

  @Override
  public IndexOutput createOutput(String name, IOContext context) throws IOException {
    step(name);
    return aborting(in.createOutput(name, context));
  }

  @Override
  public IndexOutput createTempOutput(String prefix, String suffix, IOContext context)
      throws IOException {
    IndexOutput output = in.createTempOutput(prefix, suffix, context);
    step(output.getName());
    return aborting(output);
  }

  private void step(String name) throws IOException {
    if (left.decrementAndGet() == 0) {
      struckAt = name;
      scheduler.cancelForcedMerges();
    }
  }

  private IndexOutput aborting(IndexOutput output) {
    return new FilterIndexOutput("Aborting(" + output + ")", output.getName(), output) {
      @Override
      public void writeBytes(byte[] b, int offset, int length) throws IOException {
        step(getName());
        out.writeBytes(b, offset, length);
      }

      @Override
      public void close() throws IOException {
        step(getName());
        out.close();
      }
    };
  }
}
