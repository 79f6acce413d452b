package io.weir.store.reads;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.tests.store.BaseDirectoryTestCase;

/** Lucene's own conformance kit, with every file read as a merge verifies it. */
public class MergeReadInputConformanceTest extends BaseDirectoryTestCase {

  IndexInput asMerged(IndexInput input, MergeReadInput.MergedFile file) {
    return MergeReadInput.verifying(input, file, null);
  }

  @Override
  protected Directory getDirectory(Path path) throws IOException {
    return new FilterDirectory(new MMapDirectory(path)) {
      @Override
      public IndexInput openInput(String name, IOContext context) throws IOException {
        return asMerged(
            in.openInput(name, context), new MergeReadInput.MergedFile(ReadAhead.NONE, 0, true));
      }
    };
  }
}
