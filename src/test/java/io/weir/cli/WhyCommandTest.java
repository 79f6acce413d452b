package io.weir.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.rest.Login;
import io.weir.run.RunJson;
import io.weir.stress.Await;
import io.weir.suite.Slow;
import io.weir.why.RecordedEngine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code weir why} of a cluster whose answers were recorded, of two answers, and its refusals. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WhyCommandTest {

  private static final String SECRET = "s3cret";
  private static final Path COMPARED = Path.of("src/test/resources/io/weir/why/compared");

  @TempDir Path temp;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "why localhost:9200 | weir: PID must be the number of a process on this machine",
        "why ftp://localhost | URL the address of a node, such as http://localhost:9200 or solr:http",
        "why weir:s3cret@localhost | or solr:http://localhost:8983/solr: ***@localhost",
        "why http://weir:s3 cret@localhost | or solr:http://localhost:8983/solr: http://***@localhost",
        "why http://nowhere.invalid | weir: URL must be a search engine that can be asked: no server"
            + " answers at http://nowhere.invalid/: unknown host",
        "why http://localhost:1 | no server answers at http://localhost:1/: connection refused",
        "why http://localhost:9200 --for 1s | weir: --for must be from 5 s to 3600 s: 1.0 s",
        "why 0 | weir: PID must be the number of a process on this machine",
        "why -1 | weir: PID must be the number of a process on this machine",
        "why 99999999999 | weir: PID must be the number of a process on this machine",
        "why 4711 --for 1s | weir: --for must be from 5 s to 3600 s: 1.0 s",
        "why 4711 --for 2h | weir: --for must be from 5 s to 3600 s: 7200.0 s",
        "why 4711 --for soon | weir: --for must be",
        "why 1234567890 | weir: PID must be the number of a running process",
        "why | weir: Missing required parameter: 'PID|URL', or --compare BEFORE AFTER",
        "why --compare one | weir: option '--compare' at index 0 (BEFORE AFTER) requires at least 2 values",
        "why --compare one two three | weir: --compare must come without PID or URL: three",
        "why 4711 --compare one two | weir: --compare must come without PID or URL: 4711",
        "why --compare one two --for 9s | weir: --compare must come without --for",
        "why --compare one two --record | weir: --compare must come without --record",
        "why --compare one two --compare three four | weir: --compare must come once, with two answers",
        "why --compare one one | weir: --compare must have two answers, this one comes twice: one",
        "why --compare pom.xml two | weir: pom.xml cannot be read as JSON: Unexpected character",
        "why --compare src two | weir: src/why.json cannot be read: there is no such file or directory",
      })
  void why_badInput_isRefusedByItsName(String command, String message) {
    WeirProcess.Ended ended = InProcess.run(command.strip().split(" (?!cret)"));

    assertEquals(ExitCode.USAGE, ended.exitCode(), ended.toString());
    assertTrue(ended.err().contains(message), ended.toString());
    assertEquals("", ended.out());
    assertFalse(ended.err().contains("cret"), ended.toString());
  }

  @ParameterizedTest
  @CsvSource({"opensearch, 3.8.0", "elasticsearch, 9.5.3", "solr, 9.10.1"})
  @Slow("starts the command line, which looks for seconds")
  void why_aRecordedCluster_answersWithItsVersion_andWithoutThePassword(
      String engine, String version) throws Exception {
    try (RecordedEngine recorded = new RecordedEngine(engine)) {
      String target = recorded.target().toString().replace("//", "//weir:" + SECRET + "@");

      WeirProcess.Ended ended =
          WeirProcess.run(temp, "why", target, "--for", "8s", "--json", "--out", "why");

      assertEquals(0, ended.exitCode(), ended.toString());
      JsonNode json = RunJson.parse(ended.out());
      assertTrue(json.get("facts").path("stacks").path("value").asInt() > 2, ended.toString());
      assertEquals(version, json.get("about").get(engine.replace("solr", "solr-core")).asText());
      assertEquals(Files.readString(temp.resolve("why/why.json")), ended.out());
      for (String text :
          List.of(ended.err(), ended.out(), Files.readString(temp.resolve("why/why.html")))) {
        assertFalse(text.contains(SECRET), text);
      }
      assertEquals(
          Set.of(new Login("weir", SECRET).authorization()), Set.copyOf(recorded.authorizations));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/_nodes/jvm | 401 | asks for a name and a password: give them by WEIR_TARGET_USER",
        "/_nodes/stats/indices,jvm,os,fs/refresh,merge,segments,docs,indexing | 403 | the user needs the cluster privilege monitor",
        "/_nodes/jvm | 404 | no OpenSearch and no Elasticsearch answers at http://127.0.0.1",
        "/_nodes/hot_threads | 500 | GET /_nodes/hot_threads"
      })
  void why_aClusterThatRefuses_namesTheRemedy(String path, int status, String message)
      throws Exception {
    try (RecordedEngine recorded = new RecordedEngine("opensearch")) {
      recorded.refusals.put(path, status);

      WeirProcess.Ended ended = InProcess.run("why", recorded.target().toString());

      assertEquals(ExitCode.USAGE, ended.exitCode(), ended.toString());
      assertTrue(
          ended.err().contains("URL must be a search engine that can be asked: "),
          ended.toString());
      assertTrue(ended.err().contains(message), ended.toString());
    }
  }

  @Test
  void why_aNameThatIsNotAccepted_saysSo() throws Exception {
    try (RecordedEngine recorded = new RecordedEngine("solr")) {
      recorded.refusals.put("/solr/admin/info/system", 401);

      WeirProcess.Ended ended =
          InProcess.run(
              "why", recorded.target().toString().replace("//", "//weir:" + SECRET + "@"));

      assertEquals(ExitCode.USAGE, ended.exitCode(), ended.toString());
      assertTrue(
          ended.err().contains("does not accept the name and the password"), ended.toString());
      assertFalse(ended.err().contains(SECRET), ended.toString());
    }
  }

  @Test
  void why_anAnswerThatIsTooLarge_isRefusedWithTheLimit() throws Exception {
    try (RecordedEngine recorded = new RecordedEngine("opensearch")) {
      recorded.edit = answer -> answer + " ".repeat(33 << 20);

      WeirProcess.Ended ended = InProcess.run("why", recorded.target().toString());

      assertEquals(ExitCode.USAGE, ended.exitCode(), ended.toString());
      assertTrue(
          ended.err().contains("must have an answer of at most 33554432 bytes, and has more"),
          ended.toString());
    }
  }

  /** The time is an hour, so this ends because the cluster does. */
  @Test
  void why_aClusterThatEnds_answersFromWhatWasSeen() throws Exception {
    try (RecordedEngine recorded = new RecordedEngine("opensearch")) {
      recorded.mostRequests = 12;

      WeirProcess.Ended ended = InProcess.run("why", recorded.target().toString(), "--for", "1h");

      assertEquals(ExitCode.DONE, ended.exitCode(), ended.toString());
      assertTrue(ended.out().contains("Too little was seen for an answer"), ended.toString());
      assertTrue(ended.out().contains("The end of the time: after"), ended.toString());
      assertTrue(ended.out().contains("the cluster gave no answer"), ended.toString());
    }
  }

  @Test
  @Slow("starts the command line")
  @DisabledOnOs(OS.WINDOWS)
  void why_interrupted_answersFromWhatWasSeen() throws Exception {
    try (RecordedEngine recorded = new RecordedEngine("elasticsearch");
        WeirProcess weir =
            WeirProcess.start(temp, "why", recorded.target().toString(), "--for", "1h")) {
      Await.until("some looks", () -> recorded.requests.size() > 20);

      weir.signal("INT");

      WeirProcess.Ended ended = weir.await(60);
      assertEquals(ExitCode.INTERRUPTED, ended.exitCode(), ended.toString());
      assertTrue(ended.out().contains("the look was interrupted after"), ended.toString());
    }
  }

  /** As users have them: a directory of --out, and the file that --json made. */
  @Test
  void compare_ofADirectoryAndAFile_answersAsTextAsJsonAndAsFiles() throws Exception {
    Path before = Files.createDirectory(temp.resolve("before"));
    Files.copy(COMPARED.resolve("before.json"), before.resolve("why.json"));
    Path after = Files.copy(COMPARED.resolve("after.json"), temp.resolve("after.json"));
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
