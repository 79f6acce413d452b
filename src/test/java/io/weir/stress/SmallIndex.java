package io.weir.stress;

import io.weir.corpus.ReadProblems;
import io.weir.stress.index.IndexBuilder;
import io.weir.stress.plan.Documents;
import io.weir.stress.plan.KeyLayout;
import java.io.IOException;
import java.nio.file.Path;

/** A real index of a few synthetic documents, as a run builds it. */
public final class SmallIndex {

  private SmallIndex() {}

  /** What {@link #build} indexes. */
  public static Documents documents(int count) {
    return new Documents("synthetic:" + count, 1, 0);
  }

  /** Builds and commits one with the key's postings there. */
  public static Path build(Path path, int count, KeyLayout layout) throws IOException {
    new IndexBuilder(path, documents(count), layout, new ReadProblems(), () -> false).build();
    return path;
  }

  /** Builds and commits an index of {@code count} documents. */
  public static Path build(Path path, int count) throws IOException {
    return build(path, count, KeyLayout.SHARED);
  }
}
