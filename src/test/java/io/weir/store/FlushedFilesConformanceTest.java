package io.weir.store;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.tests.store.BaseDirectoryTestCase;

/** Lucene's own conformance kit on the layer, with any contexts and files on both sides. */
public class FlushedFilesConformanceTest extends BaseDirectoryTestCase {

  @Override
  protected Directory getDirectory(Path path) throws IOException {
    FlushedFilesOptions options = new FlushedFilesOptions(10_000, 100_000);
    return new FlushedFilesDirectory(new MMapDirectory(path), options);
  }
}
