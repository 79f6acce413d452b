package io.weir.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code weir why} refuses before it attaches. */
class WhyCommandTest {

  @TempDir Path temp;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "why http://localhost:9200 | weir: PID must be the number of a process on this machine",
        "why 0 | weir: PID must be the number of a process on this machine",
        "why -1 | weir: PID must be the number of a process on this machine",
        "why 99999999999 | weir: PID must be the number of a process on this machine",
        "why 4711 --for 1s | weir: --for must be from 5 s to 3600 s: 1.0 s",
        "why 4711 --for 2h | weir: --for must be from 5 s to 3600 s: 7200.0 s",
        "why 4711 --for soon | weir: --for must be",
        "why 1234567890 | weir: PID must be the number of a running process",
        "why | weir: Missing required parameter"
      })
  void why_badInput_isRefusedByItsName(String command, String message) {
    WeirProcess.Ended ended = InProcess.run(command.strip().split(" "));

    assertEquals(ExitCode.USAGE, ended.exitCode(), ended.toString());
    assertTrue(ended.err().contains(message), ended.toString());
    assertEquals("", ended.out());
  }

  @Test
  void why_withAFileForItsDirectory_isRefused() throws Exception {
    Path file = Files.writeString(temp.resolve("file"), "");

    WeirProcess.Ended ended = InProcess.run("why", "4711", "--out", file.toString());

    assertEquals(ExitCode.USAGE, ended.exitCode(), ended.toString());
    assertTrue(ended.err().contains("--out must be a directory: " + file), ended.toString());
  }
}
