package io.weir.store;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.tests.store.BaseDirectoryTestCase;

/** Lucene's own conformance kit on the wrapper, with files on both sides of the bound. */
public class SmallFilesConformanceTest extends BaseDirectoryTestCase {

  @Override
  protected Directory getDirectory(Path path) throws IOException {
    SmallFilesOptions options = new SmallFilesOptions(1 << 10, 16 << 10);
    return new SmallFilesDirectory(new MMapDirectory(path), options);
  }
}
