package io.weir.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.weir.stress.SmallIndex;
import io.weir.suite.Slow;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A locale whose digits no page, no chart and no other program can read. */
@Slow("starts the command line, which starts a JVM for each arm")
class CommandLocaleTest {

  private static final Pattern OTHER_DIGITS = Pattern.compile("(?U)[\\d&&[^0-9]]");

  @TempDir Path temp;

  @Test
  void stress_inArabic_writesDigitsThatItsReportCanUse() throws Exception {
    Path index = SmallIndex.build(temp.resolve("index"), 1000);
    WeirProcess.Ended ended;
    try (WeirProcess weir =
        WeirProcess.startWith(
            "-Duser.language=ar -Duser.country=EG",
            temp,
            "stress",
            "--docs=synthetic:1000",
            "--index=" + index,
            "--out=run",
            "--arm=weir: cap=40MB/s",
            "--warmup=300ms",
            "--before=400ms",
            "--after=300ms")) {
      ended = weir.await();
    }
    assertEquals(0, ended.exitCode(), ended.toString());
    assertReadable("the terminal", ended.toString());
    for (String file :
        List.of("queries.txt", "series.csv", "run.json", "report.html", "report.svg")) {
      assertReadable(file, Files.readString(temp.resolve("run").resolve(file)));
    }
  }

  private static void assertReadable(String what, String text) {
    assertFalse(
        OTHER_DIGITS.matcher(text).find(),
        () ->
            what
                + ": "
                + text.lines()
                    .filter(line -> OTHER_DIGITS.matcher(line).find())
                    .findFirst()
                    .orElseThrow());
  }
}
