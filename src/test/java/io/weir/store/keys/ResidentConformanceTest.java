package io.weir.store.keys;

import io.weir.store.ResidentKeys;
import io.weir.store.SteppedLoader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.tests.store.BaseDirectoryTestCase;

/** Lucene's own conformance kit on the wrapper, with every file held in memory. */
public class ResidentConformanceTest extends BaseDirectoryTestCase {

  /** What to hold of a file. */
  DictionaryFiles.Parts parts(long length) {
    return DictionaryFiles.Parts.WHOLE;
  }

  @Override
  protected Directory getDirectory(Path path) throws IOException {
    DictionaryMemory memory =
        new DictionaryMemory(ResidentKeys.of("id"), new SteppedLoader(Long.MAX_VALUE).loader);
    return new FilterDirectory(new MMapDirectory(path)) {
      @Override
      public IndexInput openInput(String name, IOContext context) throws IOException {
        IndexInput opened = in.openInput(name, context);
        DictionaryFiles.File file =
            new DictionaryFiles.File(
                name,
                opened.length(),
                opened,
                () -> in.openInput(name, IOContext.READONCE),
                parts(opened.length()));
        DictionaryCopy copy =
            DictionaryCopy.begin(memory, new DictionaryFiles(file, Optional.empty()));
        copy.goOn(() -> {});
        DictionaryCopy.Loaded.Copies copies = copy.loaded().copies();
        return new OverlayInput(opened, copies::blocks, () -> {});
      }
    };
  }
}
