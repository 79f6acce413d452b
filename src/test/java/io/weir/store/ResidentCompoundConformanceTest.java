package io.weir.store;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.tests.store.BaseDirectoryTestCase;

/** Lucene's own conformance kit on the wrapper, with every file taken for a compound file. */
public class ResidentCompoundConformanceTest extends BaseDirectoryTestCase {

  @Override
  protected Directory getDirectory(Path path) throws IOException {
    ResidentDirectory resident =
        new ResidentDirectory(FSDirectory.open(path), ResidentKeys.of("id"));
    return new FilterDirectory(resident) {
      @Override
      public IndexInput openInput(String name, IOContext context) throws IOException {
        return resident.new CompoundInput(name, in.openInput(name, context));
      }
    };
  }
}
