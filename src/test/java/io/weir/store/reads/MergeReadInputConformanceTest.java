package io.weir.store.reads;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.tests.store.BaseDirectoryTestCase;
import org.apache.lucene.util.IOUtils;

/** Lucene's own conformance kit, with every file read as a merge verifies it. */
public class MergeReadInputConformanceTest extends BaseDirectoryTestCase {

  private final Map<String, List<Closeable>> opened = new ConcurrentHashMap<>();

  IndexInput asMerged(IndexInput input, MergedFile file) {
    return MergeReadInput.verifying(input, file, null);
  }

  @Override
  protected Directory getDirectory(Path path) throws IOException {
    OrdinaryReads.Account account = new OrdinaryReads.Account();
    return new FilterDirectory(new MMapDirectory(path)) {
      @Override
      public IndexInput openInput(String name, IOContext context) throws IOException {
        IndexInput input = in.openInput(name, context);
        OrdinaryReads file =
            new OrdinaryReads(Optional.of(path.resolve(name)), Optional.empty(), account);
        opened.computeIfAbsent(name, n -> new CopyOnWriteArrayList<>()).add(file);
        return asMerged(
            input,
            new MergedFile(
                "_0.fdt", input, file, Optional.empty(), new KeptChecksums(Optional.empty())));
      }

      @Override
      public void deleteFile(String name) throws IOException {
        IOUtils.close(opened.getOrDefault(name, List.of())); // on Windows it would stay
        super.deleteFile(name);
      }

      @Override
      public void close() throws IOException {
        IOUtils.close(opened.values().stream().flatMap(List::stream).toList());
        super.close();
      }
    };
  }
}
