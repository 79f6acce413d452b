package io.weir.stress;

import io.weir.corpus.ReadProblems;
import io.weir.stress.index.IndexBuilder;
import io.weir.stress.plan.Documents;
import io.weir.stress.plan.IndexLayout;
import io.weir.stress.plan.QuerySource;
import io.weir.stress.queries.QueryDraw;
import io.weir.stress.setting.CompoundFiles;
import io.weir.stress.setting.IdPostings;
import io.weir.stress.setting.VectorFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

/** A real index of a few synthetic documents, as a run builds it. */
public final class SmallIndex {

  /** An index with its key's postings in files of their own. */
  public static final IndexLayout APART =
      new IndexLayout(IdPostings.RESIDENT, CompoundFiles.DEFAULT, VectorFormat.FLOAT);

  private SmallIndex() {}

  /** What {@link #build} indexes. */
  public static Documents documents(int count) {
    return new Documents("synthetic:" + count, 1, 0);
  }

  /** Builds and commits one of this layout. */
  public static Path build(Path path, int count, IndexLayout layout) throws IOException {
    new IndexBuilder(path, documents(count), layout, new ReadProblems(), () -> false).build();
    return path;
  }

  /** Leaves in {@code file} what a run on the index at {@code path} searches for. */
  public static Path queries(Path path, Path file) throws IOException {
    try (Directory directory = FSDirectory.open(path);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      return Files.write(
          file, QueryDraw.draw(reader, QuerySource.TERMS, documents(1).seed(), () -> false));
    }
  }

  /** Builds and commits an index of {@code count} documents. */
  public static Path build(Path path, int count) throws IOException {
    return build(path, count, IndexLayout.PLAIN);
  }
}
