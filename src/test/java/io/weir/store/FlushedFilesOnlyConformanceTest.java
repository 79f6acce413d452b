package io.weir.store;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.FlushInfo;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.tests.store.BaseDirectoryTestCase;

/** Lucene's own conformance kit on the layer, where a flush writes every file. */
public class FlushedFilesOnlyConformanceTest extends BaseDirectoryTestCase {

  @Override
  protected Directory getDirectory(Path path) throws IOException {
    return new EveryWriteIsAFlush(new FlushedFilesDirectory(new MMapDirectory(path)));
  }

  private static final class EveryWriteIsAFlush extends FilterDirectory {

    EveryWriteIsAFlush(Directory in) {
      super(in);
    }

    @Override
    public IndexOutput createOutput(String name, IOContext context) throws IOException {
      return in.createOutput(name, IOContext.flush(new FlushInfo(1, 1)));
    }
  }
}
