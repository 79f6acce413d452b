package io.weir.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code weir why} refuses before it attaches, and what it does without. */
class WhyCommandTest {

  private static final Path RECORDED = Path.of("src/test/resources/io/weir/why/compared");

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
        "why | weir: Missing required parameter: 'PID', or --compare BEFORE AFTER",
        "why --compare one | weir: option '--compare' at index 0 (BEFORE AFTER) requires at least 2 values",
        "why --compare one two three | weir: --compare must come without a PID: three",
        "why 4711 --compare one two | weir: --compare must come without a PID: 4711",
        "why --compare one two --for 9s | weir: --compare must come without --for",
        "why --compare one two --compare three four | weir: --compare must come once, with two answers",
        "why --compare one one | weir: --compare must have two answers, this one comes twice: one",
        "why --compare pom.xml two | weir: pom.xml cannot be read as JSON: Unexpected character",
        "why --compare src two | weir: src/why.json cannot be read: there is no such file or directory",
      })
  void why_badInput_isRefusedByItsName(String command, String message) {
    WeirProcess.Ended ended = InProcess.run(command.strip().split(" "));

    assertEquals(ExitCode.USAGE, ended.exitCode(), ended.toString());
    assertTrue(ended.err().contains(message), ended.toString());
    assertEquals("", ended.out());
  }

  /** As users have them: a directory of --out, and the file that --json made. */
  @Test
  void compare_ofADirectoryAndAFile_answersAsTextAsJsonAndAsFiles() throws Exception {
    Path before = Files.createDirectory(temp.resolve("before"));
    Files.copy(RECORDED.resolve("before.json"), before.resolve("why.json"));
    Path after = Files.copy(RECORDED.resolve("after.json"), temp.resolve("after.json"));
    Path out = temp.resolve("out");

    WeirProcess.Ended text =
        InProcess.run("why", "--compare", before + "", after + "", "--out", out + "");
    WeirProcess.Ended json = InProcess.run("why", "--json", "--compare", before + "", after + "");

    assertEquals(ExitCode.DONE, text.exitCode(), text.toString());
    assertTrue(text.out().startsWith("It got better: refreshes spend "), text.out());
    assertEquals("report: " + out.resolve("why-comparison.html") + "\n", text.err());
    assertTrue(Files.readString(out.resolve("why-comparison.html")).contains("It got better: "));
    assertEquals(json.out(), Files.readString(out.resolve("why-comparison.json")));
    assertTrue(json.out().contains("\"outcome\" : \"better\""), json.out());
    assertEquals("", json.err());
  }

  @Test
  void why_withAFileForItsDirectory_isRefused() throws Exception {
    Path file = Files.writeString(temp.resolve("file"), "");

    WeirProcess.Ended ended = InProcess.run("why", "4711", "--out", file.toString());

    assertEquals(ExitCode.USAGE, ended.exitCode(), ended.toString());
    assertTrue(ended.err().contains("--out must be a directory: " + file), ended.toString());
  }
}
