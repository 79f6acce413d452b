package io.weir.store;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.tests.store.BaseDirectoryTestCase;

/** Lucene's own conformance kit on the wrapper, with every file held in memory. */
public class ResidentConformanceTest extends BaseDirectoryTestCase {

  @Override
  protected Directory getDirectory(Path path) throws IOException {
    ResidentDirectory resident =
        new ResidentDirectory(
            new MMapDirectory(path), ResidentKeys.of("id").withMaxBytes(Long.MAX_VALUE));
    return new FilterDirectory(resident) {
      @Override
      public IndexInput openInput(String name, IOContext context) throws IOException {
        return resident.hold(name, context).orElseThrow();
      }
    };
  }
}
