package io.weir.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.Weir;
import io.weir.merge.MergeCancellations.PendingMerges;
import io.weir.rate.BudgetOptions;
import io.weir.rate.ByteBudget;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.lucene.index.CodecReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.MergePolicy.OneMerge;
import org.apache.lucene.index.MergeScheduler.MergeSource;
import org.apache.lucene.index.MergeTrigger;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * An {@link Error}, such as one of memory, where a merge begins or ends. A merge that does not
 * reach the writer, or whose end the writer does not hear of, makes its close wait for ever.
 */
@Timeout(60)
class MergeEdgeErrorTest {

  private static final int SEGMENTS = 8;
  private static final int DOCUMENTS = 50;

  @TempDir private Path temp;

  static Stream<Arguments> work_anErrorWhereMergesBeginOrEnd_losesNothing() {
    return Stream.of(
        failing("the yield, at each beginning", s -> s.setYield(new Yield(1, true, true))),
        failing("the yield, at one beginning", s -> s.setYield(new Yield(2, true, false))),
        failing("the yield, at each end", s -> s.setYield(new Yield(1, false, true))),
        failing("the yield, at one end", s -> s.setYield(new Yield(2, false, false))),
        failing("the read meter", s -> s.setReadMeter(MergeEdgeErrorTest::failed)),
        failing(
            "the counter of reads", s -> s.setReadMeter(() -> Optional.of(new FailingCounter()))));
  }

  private static Arguments failing(String what, Consumer<RateLimitedMergeScheduler> setting) {
    return Arguments.of(what, setting);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void work_anErrorWhereMergesBeginOrEnd_losesNothing(
      String what, Consumer<RateLimitedMergeScheduler> setting) throws Exception {
    try (Directory plain = FSDirectory.open(temp)) {
      MergeLab.build(plain, SEGMENTS, DOCUMENTS, MergeLab::source);
    }
    Weir weir =
        Weir.builder()
            .budget(
                new ByteBudget(
                    BudgetOptions.named(what).counting(BudgetOptions.Counting.READS_AND_WRITES)))
            .open(temp);
    weir.scheduler().setMaxMergesAndThreads(1, 1); // so that the end of one begins the next
    setting.accept(weir.scheduler());
    try (Directory directory = weir.directory()) {
      IndexWriter writer =
          new IndexWriter(
              directory,
              weir.configure(new IndexWriterConfig().setMergePolicy(new PairsMergePolicy())));
      MergeLab.start(() -> writer.forceMerge(1)).get(20, TimeUnit.SECONDS);
      MergeLab.start(writer::close).get(20, TimeUnit.SECONDS);
      assertEquals(List.of(), weir.scheduler().running());
      MergeLab.check(directory, SEGMENTS * DOCUMENTS);
    }
  }

  /** The writer counts as running whatever it has handed out. */
  @Test
  void nextMerge_anErrorWhereItIsLookedAt_isGivenBackToTheWriter() {
    HandsOutOne source = new HandsOutOne();
    assertThrows(OutOfMemoryError.class, pending(source)::getNextMerge);
    assertEquals(1, source.finished.get());
  }

  /** The same, where no thread could be created. */
  @Test
  void mergeFinished_anErrorInOurAccount_reachesTheWriter() {
    HandsOutOne source = new HandsOutOne();
    assertThrows(OutOfMemoryError.class, () -> pending(source).onMergeFinished(null));
    assertEquals(1, source.finished.get());
  }

  private static PendingMerges pending(MergeSource source) {
    return new PendingMerges(
        source,
        MergeTrigger.EXPLICIT,
        new MergeCancellations(
            new WriterMerges(
                ByteBudget.unlimited(),
                NanoClock.SYSTEM,
                MergeSchedulingClass.OF_THIS_PROCESS,
                GraphMemory.OF_THIS_PROCESS,
                message -> {})),
        merge -> failed());
  }

  private static <T> T failed() {
    throw new OutOfMemoryError("on purpose");
  }

  /** Fails at call number {@code first}, and perhaps at all that follow. */
  private static final class Yield implements MergeYield {

    private final AtomicInteger left;
    private final boolean atBeginning;
    private final boolean andAfter;

    Yield(int first, boolean atBeginning, boolean andAfter) {
      this.left = new AtomicInteger(first);
      this.atBeginning = atBeginning;
      this.andAfter = andAfter;
    }

    @Override
    public boolean standAside() {
      return false;
    }

    @Override
    public void mergeBegins() {
      failIf(atBeginning);
    }

    @Override
    public void mergeEnds(Thread thread) {
      failIf(!atBeginning);
    }

    private void failIf(boolean counts) {
      if (counts) {
        int now = left.decrementAndGet();
        if (now == 0 || now < 0 && andAfter) {
          failed();
        }
      }
    }
  }

  private static final class FailingCounter implements MergeReadMeter.Counter {

    @Override
    public long bytesSinceLast() {
      return failed();
    }

    @Override
    public void close() {
      failed();
    }
  }

  private static final class HandsOutOne implements MergeSource {

    private final AtomicInteger finished = new AtomicInteger();

    @Override
    public OneMerge getNextMerge() {
      return new OneMerge(new CodecReader[0]);
    }

    /** Cancellations look for the source in a map. */
    @Override
    public int hashCode() {
      return MergeEdgeErrorTest.<Integer>failed();
    }

    @Override
    public boolean equals(Object other) {
      return this == other;
    }

    @Override
    public void onMergeFinished(OneMerge merge) {
      finished.incrementAndGet();
    }

    @Override
    public boolean hasPendingMerges() {
      return false;
    }

    @Override
    public void merge(OneMerge merge) throws IOException {}
  }
}
