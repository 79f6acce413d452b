package io.weir.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.weir.run.Part;
import io.weir.run.Run;
import io.weir.run.RunFiles;
import io.weir.run.RunSchema;
import io.weir.run.Status;
import io.weir.store.KernelPageCache;
import io.weir.stress.SmallIndex;
import io.weir.suite.Alone;
import io.weir.suite.Slow;
import java.io.File;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.util.IOUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A run that is refused on a machine that is not quiet, and what else it is refused for. */
@Slow("starts the command line, which starts a JVM for each arm")
@Alone("a strict run ends at once when another program uses the machine")
class CommandStrictTest {

  @TempDir Path temp;

  /** Pages that another program has mapped stay; here this one is it. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void stress_strictAndNotCold_isRefusedBeforeTheLoad() throws Exception {
    Path index = SmallIndex.build(temp.resolve("index"), 3000);
    SmallIndex.queries(index, temp.resolve("queries.txt"));
    List<MappedByteBuffer> held = new ArrayList<>();
    for (File file : index.toFile().listFiles()) {
      try (FileChannel channel = FileChannel.open(file.toPath())) {
        held.add(channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size()).load());
      }
    }
    String[] arms = {"--arm", "a: preset=stock, cache=cold", "--arm", "b: preset=stock"};
    if (KernelPageCache.obstacle(index).isPresent()) { // then it is known before
      WeirProcess.Ended refused = run(index, arms);
      assertEquals(2, refused.exitCode(), refused.toString());
      assertTrue(refused.err().contains(KernelPageCache.obstacle(index).get()), refused.toString());
      assertFalse(Files.exists(temp.resolve("run")));
      return;
    }
    WeirProcess.Ended warned = run(index, arms);
    assertFalse(held.isEmpty());
    assertEquals(0, warned.exitCode(), warned.toString());
    String what = "the index was not cold: 100.0 % of its ";
    assertTrue(warned.out().contains(what), warned.toString());
    assertEquals(List.of("a", "b"), result().parts().stream().map(Part::name).toList());
    assertEquals(Status.DONE, result().parts().get(0).status());

    IOUtils.rm(temp.resolve("run"));
    WeirProcess.Ended refused = run(index, "--strict", arms[0], arms[1], arms[2], arms[3]);
    assumeFalse(refused.err().contains("too noisy"), refused.toString());
    assertEquals(4, refused.exitCode(), refused.toString());
    assertTrue(
        refused.err().contains("weir: the page cache was not as asked, and the run is --strict"),
        refused.toString());
    List<Part> ran = result().parts();
    assertEquals(List.of("a"), ran.stream().map(Part::name).toList());
    assertEquals(Status.FAILED, ran.get(0).status());
    String reason = ran.get(0).failure().orElseThrow().reason();
    assertTrue(reason.contains(what), reason);
    assertTrue(refused.err().contains("weir: arm a failed: " + reason), refused.toString());
  }

  private WeirProcess.Ended run(Path index, String... more) throws Exception {
    List<String> all =
        new ArrayList<>(
            List.of("stress", "--out", "run", "--docs", "synthetic:3000", "--index", "" + index));
    all.addAll(List.of("--queries", temp.resolve("queries.txt").toString()));
    all.addAll(List.of("--warmup", "300ms", "--before", "400ms", "--after", "300ms"));
    all.addAll(List.of(more));
    return WeirProcess.run(temp, all.toArray(String[]::new));
  }

  private Run result() throws Exception {
    RunFiles files = new RunFiles(temp.resolve("run"));
    RunSchema.assertValid(files.runJson());
    return files.read();
  }
}
