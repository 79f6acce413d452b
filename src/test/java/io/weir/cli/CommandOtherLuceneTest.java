package io.weir.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.run.ArmFigures;
import io.weir.run.Part;
import io.weir.run.Run;
import io.weir.run.RunFiles;
import io.weir.run.Status;
import io.weir.suite.Slow;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An arm on Lucene 10.6 beside one on Weir's own, with jars that the build has copied. */
@Slow("starts the command line, which starts a JVM for each arm")
class CommandOtherLuceneTest {

  /** As {@code pom.xml} fills it. */
  private static final Path ENGINES = Path.of("target", "engines").toAbsolutePath();

  @TempDir Path temp;

  @Test
  void stress_armOnAnotherLucene_runsBesideOneOnWeirsOwn_fromOneIndex() throws Exception {
    WeirProcess.Ended ended;
    try (WeirProcess weir =
        WeirProcess.startBy(
            List.of("env", "WEIR_ENGINES=" + ENGINES),
            temp,
            "stress",
            "--docs=synthetic:1000",
            "--out=out",
            "--mode=soft-update",
            "--updates-per-second=200",
            "--check-index",
            "--warmup=300ms",
            "--before=500ms",
            "--after=500ms",
            "--arm=own: preset=stock, compound=always",
            "--arm=next: lucene=10.6.0, overlays=8, compound=always, read-advice=by-context")) {
      ended = weir.await();
    }
    assertEquals(0, ended.exitCode(), ended.toString());
    Run run = new RunFiles(temp.resolve("out")).read();
    assertEquals(List.of("own", "next"), run.names());
    for (Part arm : run.parts()) {
      boolean isNext = arm.name().equals("next");
      assertEquals(Status.DONE, arm.status(), arm.name());
      assertEquals(isNext ? "10.6.0" : null, arm.settings().get("lucene"), arm.name());
      assertEquals(isNext ? "8" : null, arm.settings().get("overlays"), arm.name());
      assertTrue(arm.get(ArmFigures.CHECKED_DOCUMENTS).orElse(0L) >= 1000, arm.name());
    }
  }
}
