package io.weir.store;

import io.weir.fakes.AutoClock;
import io.weir.rate.BudgetOptions;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
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
}
