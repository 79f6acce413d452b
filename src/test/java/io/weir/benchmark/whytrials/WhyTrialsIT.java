package io.weir.benchmark.whytrials;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.benchmark.kit.Conditions;
import io.weir.suite.Distribution;
import io.weir.suite.LongRun;
import io.weir.suite.Slow;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A look at a server of each engine, where {@code tools/engine} has fetched them. */
@Slow("starts a real server")
@EnabledOnOs(OS.LINUX)
@Timeout(value = 400, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WhyTrialsIT {

  @TempDir Path temp;

  @Test
  void run_onAServer_looksAtIt_andLeavesNothing() throws Exception {
    looksAt("opensearch");
  }

  @ParameterizedTest
  @ValueSource(strings = {"elasticsearch", "solr"})
  @LongRun("the engines that run_onAServer_looksAtIt_andLeavesNothing leaves out")
  void run_onOtherServers_looksAtThem_andLeavesNothing(String engine) throws Exception {
    looksAt(engine);
  }

  private void looksAt(String engine) throws Exception {
    Distribution.ofTheBuild(engine); // or the test is skipped
    Path directory = Files.createDirectories(temp.resolve("dir"));
    for (Path one : List.of(temp, directory)) {
      // A server that does not run as root must be able to enter them.
      Files.setPosixFilePermissions(one, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    ByteArrayOutputStream progress = new ByteArrayOutputStream();
    List<String> row =
        new WhyTrialsBenchmark()
            .run(
                new Conditions(
                    true,
                    directory,
                    new PrintStream(progress, true, UTF_8),
                    Map.of(
                        "out",
                        temp.resolve("out").toString(),
                        "only",
                        engine + "/own/nothing",
                        "runs",
                        "1",
                        "for",
                        "20s")))
            .rows()
            .getFirst();

    // What it answers on a machine that also tests is not asked here.
    assertEquals(List.of(engine, "own", "nothing", "1"), row.subList(0, 4), progress::toString);
    Path log = temp.resolve("out").resolve(engine).resolve("own/nothing/look-1/why.log");
    assertTrue(Files.readString(log).contains("looks at all stacks; "), Files.readString(log));
    assertTrue(
        ProcessHandle.current().descendants().noneMatch(ProcessHandle::isAlive),
        "a process is left");
    try (Stream<Path> left = Files.walk(directory)) {
      assertEquals(List.of(), left.filter(Files::isRegularFile).toList());
    }
  }
}
