package io.weir.store;

import io.weir.rate.ByteBudget;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.tests.store.BaseDirectoryTestCase;

/** Lucene's own conformance kit on the wrapper, unlimited, with the contexts the kit picks. */
public class RateLimitedDirectoryConformanceTest extends BaseDirectoryTestCase {

  @Override
  protected Directory getDirectory(Path path) throws IOException {
    return new RateLimitedDirectory(FSDirectory.open(path), ByteBudget.unlimited());
  }
}
