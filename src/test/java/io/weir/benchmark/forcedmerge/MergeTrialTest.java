package io.weir.benchmark.forcedmerge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.CountingDirectory;
import io.weir.suite.Slow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One trial: that it merges all, charges what is written, and leaves the index as it was. */
@Slow("measures for a given time")
class MergeTrialTest {

  @TempDir Path temporary;
  private Path index;

  @BeforeEach
  void buildIndex() throws IOException {
    index = temporary.resolve("index");
    SegmentedIndex.build(index, 4, 100);
  }

  @Test
  void index_hasTheSegmentsAskedFor() throws IOException {
    try (Directory directory = FSDirectory.open(index)) {
      SegmentInfos segments = SegmentInfos.readLatestCommit(directory);
      assertEquals(4, segments.size());
      assertEquals(400, segments.totalMaxDoc());
    }
  }

  @ParameterizedTest
  @EnumSource
  void run_anyArm_writesTheIndexOnceAndChargesIt(MergeArm arm) throws IOException {
    List<String> before = names(index);
    AtomicReference<CountingDirectory> below = new AtomicReference<>();
    MergeTrial trial =
        MergeTrial.run(
            index,
            arm,
            directory -> {
              below.set(new CountingDirectory(directory));
              return below.get();
            });

    long writtenBytes = below.get().bytes();
    long indexBytes = 0;
    for (String name : before) {
      indexBytes += Files.size(index.resolve(name));
    }
    assertTrue(writtenBytes > indexBytes / 2, writtenBytes + " of " + indexBytes + " bytes");
    assertEquals(arm == MergeArm.PLAIN ? 0 : writtenBytes, trial.chargedBytes());
    assertEquals(before, names(index));
    assertEquals(List.of("index"), names(temporary));
  }

  private static List<String> names(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }
}
