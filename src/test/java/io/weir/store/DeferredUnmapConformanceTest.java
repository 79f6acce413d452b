package io.weir.store;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.tests.store.BaseDirectoryTestCase;

/** Lucene's own conformance kit on the wrapper. */
public class DeferredUnmapConformanceTest extends BaseDirectoryTestCase {

  @Override
  protected Directory getDirectory(Path path) throws IOException {
    return new DeferredUnmapDirectory(new MMapDirectory(path));
  }
}
