package io.weir.store;

import io.weir.fakes.AutoClock;
import io.weir.rate.BudgetOptions;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.MergeInfo;
import org.apache.lucene.tests.store.BaseDirectoryTestCase;

/**
 * Lucene's own conformance kit on the wrapper with a cap of 1000 bytes a second, on a clock that
 * moves itself, and with every write a merge's: so each byte of each test goes through the charging
 * output, in small grants.
 */
public class TinyCapConformanceTest extends BaseDirectoryTestCase {

  @Override
  protected Directory getDirectory(Path path) throws IOException {
    ByteBudget budget = new ByteBudget(BudgetOptions.of(Rate.perSecond(1000)), new AutoClock());
    return new EveryWriteIsAMerges(new RateLimitedDirectory(FSDirectory.open(path), budget));
  }

  private static final class EveryWriteIsAMerges extends FilterDirectory {

    private static final IOContext MERGE = IOContext.merge(new MergeInfo(1, 1, true, 1));

    EveryWriteIsAMerges(Directory in) {
      super(in);
    }

    @Override
    public IndexOutput createOutput(String name, IOContext context) throws IOException {
      return in.createOutput(name, MERGE);
    }

    @Override
    public IndexOutput createTempOutput(String prefix, String suffix, IOContext context)
        throws IOException {
      return in.createTempOutput(prefix, suffix, MERGE);
    }

    @Override
    public void copyFrom(Directory from, String src, String dest, IOContext context)
        throws IOException {
      in.copyFrom(from, src, dest, MERGE);
    }
  }
}
