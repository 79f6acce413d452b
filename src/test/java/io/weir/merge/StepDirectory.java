package io.weir.merge;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.FilterIndexOutput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;

/** Does something at the n-th creation, write or close of a file, and remembers which. */
final class StepDirectory extends FilterDirectory {

  private final AtomicInteger left;
  private final MergeLab.Act act;
  private volatile String struckAt = "";

  StepDirectory(Directory in, int step, MergeLab.Act act) {
    super(in);
    this.left = new AtomicInteger(step);
    this.act = act;
  }

  /** The file it was at; empty if it did not come to that. */
  String struckAt() {
    return struckAt;
  }

  @Override
  public IndexOutput createOutput(String name, IOContext context) throws IOException {
    step(name);
    return watched(in.createOutput(name, context));
  }

  @Override
  public IndexOutput createTempOutput(String prefix, String suffix, IOContext context)
      throws IOException {
    IndexOutput output = in.createTempOutput(prefix, suffix, context);
    step(output.getName());
    return watched(output);
  }

  private void step(String name) {
    if (left.decrementAndGet() == 0) {
      struckAt = name;
      MergeLab.unchecked(act);
    }
  }

  private IndexOutput watched(IndexOutput output) {
    return new FilterIndexOutput("Step(" + output + ")", output.getName(), output) {
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
