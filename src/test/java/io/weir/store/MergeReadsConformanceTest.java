package io.weir.store;

import io.weir.store.reads.MergeReadPacing;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.tests.store.BaseDirectoryTestCase;

/** Lucene's own conformance kit on the wrapper, for a thread that merges. */
public class MergeReadsConformanceTest extends BaseDirectoryTestCase {

  @Override
  public void setUp() throws Exception {
    super.setUp();
    MergeReadPacing.begin(() -> {}, segment -> 1);
  }

  @Override
  public void tearDown() throws Exception {
    MergeReadPacing.end();
    super.tearDown();
  }

  @Override
  protected Directory getDirectory(Path path) throws IOException {
    return new MergeReadsDirectory(new MMapDirectory(path), MergePageCache.NEUTRAL, 0);
  }
}
