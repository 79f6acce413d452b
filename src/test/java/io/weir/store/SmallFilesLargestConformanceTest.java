package io.weir.store;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.tests.store.BaseDirectoryTestCase;

/** Lucene's own conformance kit on the wrapper, with about every file a small one. */
public class SmallFilesLargestConformanceTest extends BaseDirectoryTestCase {

  @Override
  protected Directory getDirectory(Path path) throws IOException {
    SmallFilesOptions options = new SmallFilesOptions(1 << 20, 1 << 30);
    return new SmallFilesDirectory(new MMapDirectory(path), options);
  }
}
