package io.weir.store;

import java.io.IOException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.MergeInfo;

/** Gives each write the context of a merge, so that all of a conformance kit is treated as one. */
final class EveryWriteIsAMerges extends FilterDirectory {

  private static final IOContext MERGE = IOContext.merge(new MergeInfo(1, 1, true, 1));

  EveryWriteIsAMerges(Directory in) {
    super(in);
  }

  @Override
  public IndexOutput createOutput(String name, IOContext context) throws IOException {
    return in.createOutput(name, MERGE);
  }

  @Override
  public IndexOutput createTempOutput(String prefix, String suffix, IOContext context)
      throws IOException {
    return in.createTempOutput(prefix, suffix, MERGE);
  }

  @Override
  public void copyFrom(Directory from, String src, String dest, IOContext context)
      throws IOException {
    in.copyFrom(from, src, dest, MERGE);
  }
}
