package io.weir.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.rate.ByteBudget;
import java.util.EnumMap;
import java.util.Map;
import org.apache.lucene.index.MergePolicy.MergeAbortedException;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.FlushInfo;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.MergeInfo;
import org.junit.jupiter.api.Test;

/** A segment that is bound is charged through its claim, and to nobody else. */
class MergeLimiterTest {

  private static final IOContext MERGE = IOContext.merge(new MergeInfo(1, 1, false, -1));
  private static final IOContext FLUSH = IOContext.flush(new FlushInfo(1, 1));

  private final Map<MergeLimiter.Part, Long> claimed = new EnumMap<>(MergeLimiter.Part.class);
  private final MergeLimiter claim =
      (maxBytes, part) -> {
        claimed.merge(part, maxBytes, Long::sum);
        return maxBytes;
      };
  private final ByteBudget budget = ByteBudget.unlimited();
  private final RateLimitedDirectory directory =
      new RateLimitedDirectory(new ByteBuffersDirectory(), budget);

  @Test
  void bind_filesOfTheSegment_areClaimedByPart() throws Exception {
    directory.bind("_1", claim);
    write(directory.createOutput("_1.fdt", MERGE), 1000);
    write(directory.createOutput("_1.si", MERGE), 100);
    write(directory.createTempOutput("_1_bkd", "left", IOContext.DEFAULT), 200);
    write(directory.createTempOutput("_1", "doc_ids", MERGE), 20);
    write(directory.createOutput("_1.cfs", MERGE), 3000);
    write(directory.createOutput("_1.cfe", MERGE), 30);
    assertEquals(
        Map.of(
            MergeLimiter.Part.LASTING, 1100L,
            MergeLimiter.Part.TEMPORARY, 220L,
            MergeLimiter.Part.COMPOUND, 3030L),
        claimed);
    assertEquals(0, budget.snapshot().grantedBytes());
  }

  @Test
  void bind_otherSegmentsAndFlushes_areAsBefore() throws Exception {
    directory.bind("_1", claim);
    write(directory.createOutput("_2.fdt", MERGE), 1000);
    write(directory.createOutput("_1_1.liv", FLUSH), 10);
    write(directory.createOutput("_1_1_Lucene90_0.dvd", IOContext.DEFAULT), 10);
    write(directory.createTempOutput("_1", "sorted", FLUSH), 10);
    assertEquals(Map.of(), claimed);
    assertEquals(1000, budget.snapshot().grantedBytes());
  }

  @Test
  void unbind_byAnotherClaim_changesNothing() throws Exception {
    directory.bind("_1", claim);
    directory.unbind("_1", (maxBytes, part) -> maxBytes);
    write(directory.createOutput("_1.fdt", MERGE), 1000);
    assertEquals(Map.of(MergeLimiter.Part.LASTING, 1000L), claimed);
    directory.unbind("_1", claim);
    write(directory.createOutput("_1.fdm", MERGE), 50);
    assertEquals(50, budget.snapshot().grantedBytes());
  }

  /** Lucene closes the writer for any other exception than this one. */
  @Test
  void claim_aborted_everyLaterFailureIsAnAbortToo() throws Exception {
    directory.bind(
        "_1",
        (maxBytes, part) -> {
          throw new MergeAbortedException("merge is aborted: _1");
        });
    IndexOutput output = directory.createOutput("_1.fdt", MERGE);
    output.writeBytes(new byte[100], 100);
    assertThrows(MergeAbortedException.class, output::getChecksum);
    assertThrows(MergeAbortedException.class, output::getChecksum);
    assertThrows(MergeAbortedException.class, output::close);
    assertEquals(0, directory.fileLength("_1.fdt"));
  }

  private static void write(IndexOutput output, int bytes) throws Exception {
    try (output) {
      output.writeBytes(new byte[bytes], bytes);
    }
  }
}
