package io.weir.store;

import com.carrotsearch.randomizedtesting.ThreadFilter;
import com.carrotsearch.randomizedtesting.annotations.ThreadLeakFilters;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.tests.store.BaseDirectoryTestCase;
import org.apache.lucene.tests.util.QuickPatchThreadsFilter;

/** Lucene's own conformance kit on the wrapper. */
@ThreadLeakFilters(
    filters = {QuickPatchThreadsFilter.class, DeferredUnmapConformanceTest.Unmapping.class})
public class DeferredUnmapConformanceTest extends BaseDirectoryTestCase {

  /** The kit waited ten seconds for the end of this thread, which is that of the process. */
  public static final class Unmapping implements ThreadFilter {

    @Override
    public boolean reject(Thread thread) {
      return thread.getName().equals("weir-unmap");
    }
  }

  @Override
  protected Directory getDirectory(Path path) throws IOException {
    return new DeferredUnmapDirectory(new MMapDirectory(path));
  }
}
