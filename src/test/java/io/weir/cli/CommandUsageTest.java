package io.weir.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.stress.SmallIndex;
import io.weir.suite.Slow;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.commons.compress.compressors.zstandard.ZstdCompressorOutputStream;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.Lock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is wrong with a command is said in one line, before anything is begun. */
class CommandUsageTest {

  private static final String QUERIES =
      "stress --docs synthetic:10 --index TEMP/index --out TEMP/run --queries TEMP/q.txt";
  private static final String DRY_QUERIES = "stress --dry-run --out TEMP/run --queries TEMP/q.txt";

  @TempDir Path temp;

  @Test
  @Slow("starts the command line")
  void weir_help_goesToStandardOutput() throws Exception {
    WeirProcess.Ended ended = WeirProcess.run(temp, "--help");

    assertEquals(0, ended.exitCode(), ended.toString());
    assertTrue(ended.out().startsWith("Usage: weir"), ended.toString());
    assertTrue(ended.out().contains("Examples:\n  weir stress"), ended.toString());
    assertEquals("", ended.err());
  }

  /** As editors of Windows write one. */
  @Test
  void weir_argumentsInAFileWithAByteOrderMark_areRead() throws Exception {
    Files.writeString(temp.resolve("arguments"), "\uFEFFstress\r\n--dry-run\r\n");
    Files.writeString(temp.resolve("more"), "\uFEFF# the documents\n--docs=synthetic:10\n");

    WeirProcess.Ended ended =
        InProcess.run("@" + temp.resolve("arguments"), "@" + temp.resolve("more"));

    assertEquals(0, ended.exitCode(), ended.toString());
    assertTrue(ended.out().contains("built from synthetic:10"), ended.toString());
  }

  /** The native library of the decoder is unpacked there; hardened containers have such a /tmp. */
  @Test
  @EnabledOnOs(OS.LINUX)
  @Slow("starts the command line")
  void stress_zstdWithoutExecutionInTheTemporaryDirectory_saysWhatToSet() throws Exception {
    Path noexec = Files.createDirectory(temp.resolve("noexec"));
    String mount = "mount -t tmpfs -o noexec none " + noexec;
    assumeTrue(
        new ProcessBuilder("unshare", "-m", "sh", "-c", mount).start().waitFor() == 0,
        "no mount of this test's own: it needs root");
    try (OutputStream out =
        new ZstdCompressorOutputStream(Files.newOutputStream(temp.resolve("docs.zst")))) {
      out.write("title\t2026-11-01\tbody\n".getBytes(StandardCharsets.UTF_8));
    }
    String options = "export JDK_JAVA_OPTIONS=\"$JDK_JAVA_OPTIONS -Djava.io.tmpdir=" + noexec;
    String start = mount + " && %s && exec \"$0\" \"$@\"";

    WeirProcess.Ended refused = zstd(start.formatted(options + "\""));
    WeirProcess.Ended mended = zstd(start.formatted(options + " -DZstdTempFolder=" + temp + "\""));

    assertEquals(2, refused.exitCode(), refused.toString());
    assertEquals(2, refused.err().lines().count(), refused.toString());
    assertTrue(
        refused
            .err()
            .startsWith(
                "weir: documents must be readable: "
                    + temp.resolve("docs.zst")
                    + ": zstd's native library must be loaded"
                    + " from the temporary directory, whose file system must allow execution;"
                    + " JDK_JAVA_OPTIONS=-DZstdTempFolder=DIR names another: "
                    + noexec),
        refused.toString());
    assertEquals(0, mended.exitCode(), mended.toString());
  }

  private WeirProcess.Ended zstd(String shell) throws Exception {
    try (WeirProcess weir =
        WeirProcess.startBy(
            List.of("unshare", "-m", "sh", "-c", shell),
            temp,
            "stress",
            "--docs=docs.zst",
            "--dry-run")) {
      return weir.await();
    }
  }

  /** Each command is a whole sentence in the list of commands. */
  @Test
  void weir_help_isCutNowhere() {
    WeirProcess.Ended ended = InProcess.run("--help=all");
    String commands =
        ended.out().substring(ended.out().indexOf("Commands:"), ended.out().indexOf("Examples:"));

    assertEquals(
        8,
        Pattern.compile("\\.(?=\\R( {2}[a-z]|\\R|$))").matcher(commands).results().count(),
        commands);
  }

  @Test
  void weir_version_isOneLine() throws Exception {
    WeirProcess.Ended ended = InProcess.run("--version");

    assertEquals(0, ended.exitCode(), ended.toString());
    assertTrue(ended.out().matches("weir [^\n]+ \\(Lucene [^\n]+\\)\n"), ended.toString());
    assertEquals("", ended.err());
  }

  @Test
  void weir_noCommand_showsUsageAsAnError() throws Exception {
    WeirProcess.Ended ended = InProcess.run();

    assertEquals(2, ended.exitCode(), ended.toString());
    assertEquals("", ended.out());
    assertTrue(ended.err().startsWith("Usage: weir"), ended.toString());
  }

  @ParameterizedTest
  @MethodSource
  void command_thatIsWrong_isRefusedInOneLine(String arguments, String message) throws Exception {
    assertRefused(message, arguments(arguments));
    assertEquals(List.of(), WeirProcess.tree(temp));
  }

  static Stream<Arguments> command_thatIsWrong_isRefusedInOneLine() {
    return Stream.of(
        Arguments.of("strss", "Unmatched argument at index 0: 'strss': did you mean stress?"),
        Arguments.of("stress --dcos x", "Unknown options: '--dcos', 'x': did you mean --docs?"),
        Arguments.of("stress --updates 5", "'--updates', '5': did you mean --updates-per-second?"),
        Arguments.of("stress x", "Unmatched argument at index 1: 'x'"),
        Arguments.of("stress --before 1s --before 2s", "option '--before' must be given once"),
        Arguments.of("stress --before=1s --after=1s --before=2s", "'--before' must be given once"),
        Arguments.of(
            "stress --otlp-url http://localhost:99999/x --out TEMP/out",
            "--otlp-url must be the address of a collector: http://localhost:99999/x"),
        Arguments.of( // ended in ": null"
            "stress --target http://localhost:1 --docs synthetic:10 --out TEMP/out",
            ": no server answers at http://localhost:1/: connection refused"),
        Arguments.of(
            "load --target http://localhost:1/search --docs synthetic:10 --out TEMP/out",
            " (connection refused)"),
        Arguments.of(
            "stress --queries heaviest:0 --out TEMP/out",
            "queries of the heaviest terms must be from 1 to 100000: 0"),
        Arguments.of(
            "stress --queries knn --out TEMP/out",
            "queries=knn needs --vectors, because without it no document has one"),
        Arguments.of(
            "stress --arm a:vector-format=int8 --out TEMP/out",
            "vector-format needs --vectors, because without it no document has one: arm a"),
        Arguments.of(
            "index --arm a:vector-format=int8 --out TEMP/out",
            "vector-format needs --vectors, because without it no document has one: arm a"),
        Arguments.of(
            "stress --vectors 8 --arm a:vector-format=int8,lucene=10.4.0 --out TEMP/out",
            "vector-format needs lucene=10.5.0 or newer, because older Lucene quantises otherwise:"
                + " vector-format=int8"),
        Arguments.of(
            "stress --vectors 1025 --out TEMP/out",
            "vectors must have from 1 to 1024 dimensions: 1025"),
        Arguments.of(
            "sweep --slo vectors.recall>2 --vectors 8 --out TEMP/out",
            "must be a share from 0 to 1, such as 0.9: 2"),
        Arguments.of(
            "stress --vectors no/such/file --out TEMP/out",
            "--vectors must be a file that can be read: "),
        Arguments.of(
            "load --vectors 8 --target http://localhost:1/search --out TEMP/out",
            "vectors need a --target that ends with /INDEX/_search or /COLLECTION/select, because"
                + " their queries go as bodies to an engine: http://localhost:1/search?q={q}"),
        Arguments.of("load --load much", "load must be auto, auto:FIRST or numbers of requests"),
        Arguments.of("load --limit 0s", "limit must be from 1 ms to 30 s: 0 ms"),
        Arguments.of(
            "load --load 0.5",
            "a step must have from 10 to 2000000 requests: load 0.5 for 10000 ms"),
        Arguments.of(
            "load --merge forced --updates-per-second 0",
            "merge=forced needs updates-per-second above 0"),
        Arguments.of(
            "load --target http://127.0.0.1:1/search --merge forced",
            "settings of an arm apply only to a server that Weir starts, not to --target: merge=forced"),
        Arguments.of("load --target here", "target must be an address such as http://localhost"),
        Arguments.of(
            "load --arm a:before=3s",
            "before is a setting of weir stress that weir load does not have"),
        Arguments.of("stress --rounds few", "Invalid value for option '--rounds'"),
        Arguments.of("stress --rounds 0", "rounds must be from 1 to 1000: 0"),
        Arguments.of("stress --doc-count 0", "doc-count must be at least 1 document: 0"),
        Arguments.of(
            "stress --docs synthetic:many",
            "COUNT in synthetic:COUNT must be from 1 to 2147483519 documents: 'many'"),
        Arguments.of(
            "stress --slo reopen.p99<5",
            "slo 'reopen.p99<5' must be a duration such as 10s, 500ms or 2m: 5"),
        Arguments.of(
            "stress --slo other:reopen.p99<5ms",
            "slo must name an arm of this run (stock, weir): 'other' in 'other:reopen.p99<5ms'"),
        Arguments.of(
            "stress --engine opensearch",
            "--engine opensearch needs --engine-home, an unpacked distribution: tools/engine"
                + " opensearch fetches one"),
        Arguments.of(
            "stress --engine opensearch --engine-home nowhere",
            "arm weir needs --engine-plugin, the zip of weir-opensearch in target/dist"),
        Arguments.of(
            "stress --engine opensearch --engine-home nowhere --engine-plugin p.zip",
            "--engine-home must be a distribution of the engine: there is no bin/opensearch in"),
        Arguments.of(
            "stress --engine solr",
            "--engine solr needs --engine-home, an unpacked distribution: tools/engine solr"
                + " fetches one"),
        Arguments.of(
            "stress --engine solr --engine-home nowhere --engine-plugin p.jar",
            "--engine-home must be a distribution of the engine: there is no lib/solr-core-*.jar"
                + " in"),
        Arguments.of(
            "stress --target solr:http://127.0.0.1:1/solr/products",
            "--target must be a Solr that answers, with a core or a collection that is there: no"
                + " server answers at http://127.0.0.1:1/solr/"),
        Arguments.of(
            "stress --engine opensearch:7.7.7", "; tools/engine opensearch:7.7.7 fetches it"),
        Arguments.of(
            "stress --engine opensearch:7.7.7 --engine-home nowhere",
            "--engine-home is of one version; leave it out, or name --engine without a version"),
        Arguments.of(
            "stress --engine sphinx:1",
            "expected one of [opensearch, elasticsearch, solr], and a version after a colon"),
        Arguments.of("stress --shards 2", "--shards needs --engine or --target"),
        Arguments.of("stress --target-index mine", "--target-index needs --target"),
        Arguments.of(
            "stress --engine opensearch --engine-home nowhere --target-index mine",
            "--target-index needs --target"),
        Arguments.of(
            "stress --target weir:secret@localhost:9200",
            "target must be the address of a node, such as http://localhost:9200:"
                + " ***@localhost:9200"),
        Arguments.of(
            "stress --target http://weir:sec^ret@localhost",
            "Invalid value for option '--target': cannot convert 'http://***@localhost"),
        Arguments.of(
            "stress --target localhost:9200",
            "target must be the address of a node, such as http://localhost:9200: localhost:9200"),
        Arguments.of(
            "stress --target http://localhost:1 --rounds 2",
            "target takes 1 arm and 1 round, because its index cannot be copied: 1 and 2"),
        Arguments.of(
            "stress --target http://127.0.0.1:1",
            "--target must be a cluster that answers, and --target-index an index of weir stress or"
                + " a name not in use: no server answers at http://127.0.0.1:1/"),
        Arguments.of(
            "stress --target http://localhost:1 --arm x:writeback=1MiB",
            "writeback is not for an engine, because an engine decides on that itself:"
                + " writeback=1MiB"),
        Arguments.of(
            "stress --warmup 10", "warmup must be a duration such as 10s, 500ms or 2m: 10"),
        Arguments.of(
            "stress --searches-per-second x",
            "searches-per-second must be a number from 0 to 100000 per second, or levels in turn such"
                + " as 5,60/20s: x"),
        Arguments.of(
            "stress --commits-per-minute 6001",
            "commits-per-minute must be a number from 0 to 6000 per minute, or levels in turn such as"
                + " 5,60/20s: 6001"),
        Arguments.of(
            "stress --arm cap=10MB", "cap must be a rate such as 10MB/s or 512KiB/s, or off: 10MB"),
        Arguments.of("stress --mode soft", "mode must be one of update, soft-update, add: soft"),
        Arguments.of(
            "stress --arm compound=yes", "compound must be one of default, always, never: yes"),
        Arguments.of("stress --cache hot", "cache must be one of as-is, cold, warm: hot"),
        Arguments.of(
            "stress --arm directory=heap,writeback=1MiB",
            "writeback needs a directory on a disk, because with directory=heap nothing is"
                + " written"),
        Arguments.of(
            "stress --arm directory=heap,readers-first=on",
            "readers-first needs a directory on a disk, because with directory=heap no reader"
                + " waits"),
        Arguments.of(
            "stress --arm mode=soft-update,overlays=8",
            "overlays needs lucene=10.6.0 or newer, because older Lucene has no overlays:"
                + " overlays=8"),
        Arguments.of(
            "stress --arm lucene=10.6.0,overlays=8",
            "overlays needs mode=soft-update, because no other load updates doc values:"
                + " overlays=8"),
        Arguments.of(
            "stress --arm overlays=1001", "overlays must be a whole number from 0 to 1000: 1001"),
        Arguments.of(
            "stress --arm overlays=many", "overlays must be a whole number from 0 to 1000: many"),
        Arguments.of("stress --arm lucene=9.12.3", "lucene must be 10.4.0 or newer: 9.12.3"),
        Arguments.of("stress --arm lucene=new", "lucene must be a version, such as 10.4.0: new"),
        Arguments.of(
            "stress --out TEMP/out --arm next:lucene=10.99.0",
            "arm next: lucene=10.99.0 needs lucene-core-10.99.0.jar and lucene-misc-10.99.0.jar in /"),
        Arguments.of(
            "stress --arm cpa=10MB/s",
            "--arm has no setting 'cpa' in 'cpa=10MB/s': did you mean cap? (weir stress --help=all"
                + " lists"),
        Arguments.of("stress --arm jvm-args=-Xmx9g --arm jvm-args=-Xmx9g", "arm names must differ"),
        Arguments.of("stress --docs no/such/file", "documents must be synthetic[:COUNT], "),
        Arguments.of(
            "stress --queries= --out TEMP/out",
            "queries must be terms, mixed, knn, hybrid, heaviest:N or a file: ''"),
        Arguments.of(
            "stress --queries mixd --out TEMP/out",
            "--queries must be terms, mixed, knn, hybrid, heaviest:N or a file that can be read: mixd"
                + " (java.nio.file.NoSuch"),
        Arguments.of("stress --docs= --out TEMP/out", "documents must be synthetic[:COUNT], "),
        Arguments.of(
            "stress --out TEMP/out --index TEMP/out",
            "--index and --out must be two directories: "),
        Arguments.of("report nowhere", "not a run directory, it has no run.json: nowhere"));
  }

  @Test
  void stress_documentsThatCannotBeUsed_areRefused() throws Exception {
    Path file = Files.writeString(temp.resolve("file"), "no line file, no XML");
    Path empty = Files.createDirectory(temp.resolve("empty"));
    Files.write(Files.createDirectory(temp.resolve("binary")).resolve("a.bin"), new byte[100]);

    assertRefused("there is no file or directory '", "stress", "--docs", file + "/below");
    assertRefused("documents must be ", "stress", "--docs", file.toString());
    assertRefused(
        "documents must be a directory with at least one text file: " + empty,
        "stress",
        "--docs",
        empty.toString());
    assertRefused(
        "documents must be a directory with at least one text file: ",
        "stress",
        "--docs",
        temp.resolve("binary").toString());
    assertEquals(List.of("binary/a.bin", "empty/", "file"), WeirProcess.tree(temp));
  }

  @Test
  void stress_queriesThatAreNone_areRefusedBeforeAnythingIsBuilt() throws Exception {
    assertQueriesRefused("", "q.txt:1:1: a file of queries must have at least 1 query: 0");
    assertQueriesRefused(
        "a\nb XOR c\n", "q.txt:2:3: two terms must have AND, OR or AND NOT between them: XOR");
    assertQueriesRefused(
        "NOT a\n", "q.txt:1:1: NOT must go with a term to find, as in a AND NOT b: NOT");
    assertQueriesRefused(
        "a AND (b OR c\n", "q.txt:1:7: a backslash must be before this character, there are no");
    assertQueriesRefused(
        "# long\n" + "a".repeat(10_001), "q.txt:2:1: a line must have at most 10000 bytes: 10001");
    assertQueriesRefused(
        "a\n".repeat(1_000_001),
        "q.txt:1000001:1: a file of queries must have at most 1000000 lines: more");
    assertQueriesRefused(
        "a\nknn: b\n", "/q.txt needs --vectors, because without it no document has one: 'knn: b'");
    Files.write(temp.resolve("q.txt"), new byte[] {'a', '\n', 'b', (byte) 0xe9});
    assertRefused("q.txt:2:2: a line must be UTF-8: byte 0xe9", arguments(QUERIES));
    assertRefused("q.txt:2:2: a line must be UTF-8: byte 0xe9", arguments(DRY_QUERIES));
    assertRefused(
        "--queries must be terms, mixed, knn, hybrid, heaviest:N or a file that can be read: . (java.io.IOException: Is a",
        arguments("stress --out TEMP/run --queries ."));
    assertEquals(List.of("q.txt"), WeirProcess.tree(temp));
  }

  @Test
  void stress_vectorsThatAreNone_areRefusedBeforeAnythingIsBuilt() throws Exception {
    Files.write(temp.resolve("v"), new byte[] {1, 0, 0, 0, 0, 0, 0, 0});

    assertRefused(
        "/v, at byte 4: a vector must have a number that is not 0: all are",
        arguments("stress --docs synthetic:10 --index TEMP/i --out TEMP/run --vectors TEMP/v"));
    assertEquals(List.of("v"), WeirProcess.tree(temp));
  }

  private void assertQueriesRefused(String queries, String message) throws Exception {
    Files.writeString(temp.resolve("q.txt"), queries);
    assertRefused(message, arguments(QUERIES));
  }

  /** A rule of every run; whatever else is wrong comes after it. */
  @ParameterizedTest
  @ValueSource(strings = {"stress", "sweep --slo reopen.p99<1s", "load", "index"})
  void run_outThatCannotBeUsed_isRefused(String command) throws Exception {
    Path full = Files.createDirectory(temp.resolve("full"));
    Files.writeString(full.resolve("thesis"), "x");
    Path file = Files.writeString(temp.resolve("file"), "x");

    for (String dry : List.of("", " --dry-run")) {
      assertRefused(
          "--out must be an empty directory or not exist: " + full,
          arguments(command + dry + " --docs no/such --out TEMP/full"));
      assertRefused(
          "--out must be a directory, this is a file: " + file,
          arguments(command + dry + " --docs no/such --out TEMP/file"));
    }
    assertEquals(List.of("file", "full/thesis"), WeirProcess.tree(temp));
  }

  @Test
  @Slow("starts the command line")
  void stress_indexThatDoesNotFit_isRefusedAndLeftAlone() throws Exception {
    Path other = temp.resolve("other");
    try (Directory directory = FSDirectory.open(other)) {
      new IndexWriter(directory, new IndexWriterConfig()).close();
    }
    Path ten = SmallIndex.build(temp.resolve("ten"), 10);
    List<String> before = WeirProcess.tree(temp);

    assertRefused(
        "--index holds an index that weir stress did not build: " + other,
        "stress",
        "--index",
        other.toString());
    assertRefused(
        "--index holds 10 documents of synthetic:10 (seed 1, schema 1), this run asks for"
            + " synthetic:11 (seed 1): choose another --index, or delete "
            + ten,
        "stress",
        "--docs",
        "synthetic:11",
        "--index",
        ten.toString());
    try (Directory directory = FSDirectory.open(ten);
        Lock lock = directory.obtainLock(IndexWriter.WRITE_LOCK_NAME)) {
      assertRefusedInAProcess(
          "--index must not be in use, another process has locked it: " + ten.resolve("write.lock"),
          "stress",
          "--docs",
          "synthetic:10",
          "--index",
          "ten");
      lock.ensureValid();
    }
    assertEquals(before, WeirProcess.tree(temp));
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void stress_directoriesThatCannotBeMade_areRefused() throws Exception {
    assertRefused(
        "--out must be a directory that can be made: /proc/weir-run (",
        arguments("stress --docs synthetic:10 --index TEMP/index --out /proc/weir-run"));
    assertEquals(List.of(), WeirProcess.tree(temp));
  }

  @Test
  void stress_aHeapThatCannotHoldTheIndex_isRefusedWithTheOneThatWouldDo() throws Exception {
    Path ten = SmallIndex.build(temp.resolve("ten"), 10);
    List<String> before = WeirProcess.tree(temp);

    assertRefused(
        " this one has 67 MB: jvm-args=-Xmx257m would do",
        "stress",
        "--docs",
        "synthetic:10",
        "--index",
        ten.toString(),
        "--arm",
        "ram: preset=stock, directory=heap, jvm-args=-Xmx64m");
    assertEquals(before, WeirProcess.tree(temp));
  }

  /** The arm failed when the index was built. */
  @Test
  @EnabledOnOs(OS.LINUX)
  @Slow("starts what it names as a JVM")
  void anyRun_jvmThatIsNoJava21_isRefusedBeforeAnyWork() throws Exception {
    Path old =
        Files.writeString(temp.resolve("java"), "#!/bin/sh\necho 'java version \"1.8.0_7\"'\n");
    assertTrue(old.toFile().setExecutable(true));
    String rule = "arm a: jvm must be a Java of version 21 or newer: ";
    for (String command :
        List.of("stress --dry-run", "stress", "load --dry-run", "index --dry-run")) {
      assertJvmRefused(rule + "/bin/true (it says no version)", command, "/bin/true");
    }
    assertJvmRefused(rule + old + " (its version is 8)", "stress --dry-run", old.toString());
    assertJvmRefused(
        rule + "no-such (Cannot run program \"no-such\"", "stress --dry-run", "no-such");
    assertEquals(List.of("java"), WeirProcess.tree(temp));
  }

  private void assertJvmRefused(String message, String command, String java) throws Exception {
    List<String> arguments = new ArrayList<>(List.of(command.split(" ")));
    arguments.addAll(List.of("--docs", "synthetic:10"));
    arguments.addAll(List.of("--out", temp.resolve("out").toString(), "--arm", "a: jvm=" + java));
    assertRefused(message, arguments.toArray(String[]::new));
  }

  /** Only the first arm found that out. */
  @Test
  void stress_keptIndexThatCannotBeOpened_isRefused() throws Exception {
    Path ten = SmallIndex.build(temp.resolve("ten"), 10);
    Path lost;
    try (Stream<Path> files = Files.list(ten)) {
      lost =
          files.filter(file -> file.toString().matches(".*\\.(cfs|fnm)")).findFirst().orElseThrow();
    }
    Files.delete(lost);
    for (String dry : List.of("--dry-run", "--strict")) {
      assertRefused(
          "--index cannot be read as an index: " + ten + " (",
          "stress",
          dry,
          "--docs=synthetic:10",
          "--index=" + ten,
          "--out=" + temp.resolve("out"));
    }
  }

  /** No index is there yet, and none is built. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void stress_coldWherePagesCannotBeDropped_isRefused() throws Exception {
    Path memory = Path.of("/dev/shm");
    assumeTrue(Files.isDirectory(memory), "no /dev/shm");
    assumeTrue(Files.getFileStore(memory).type().equals("tmpfs"), "another /dev/shm");

    assertRefused(
        "arm stock: cache=cold needs pages that can be dropped, and ",
        arguments(
            "stress --docs synthetic:10 --cache cold --index /dev/shm/weir/none --out TEMP/out"));
    assertEquals(List.of(), WeirProcess.tree(temp));
    assertFalse(Files.exists(memory.resolve("weir")));
  }

  /** A directory of that name made the default mean something else. */
  @Test
  @Slow("starts the command line")
  void stress_directoryCalledSynthetic_doesNotStandForTheSyntheticDocuments() throws Exception {
    Files.writeString(Files.createDirectory(temp.resolve("synthetic")).resolve("a.txt"), "words");
    SmallIndex.build(temp.resolve("ten"), 10);

    assertRefusedInAProcess("this run asks for synthetic (seed 1): ", "stress", "--index", "ten");
  }

  /** As of a full disk. What reads no further, such as {@code head}, is no failure. */
  @Test
  @EnabledOnOs(OS.LINUX)
  @Slow("starts the command line")
  void help_whereItCannotBeWritten_saysSo() throws Exception {
    try (WeirProcess weir = WeirProcess.startTo(Path.of("/dev/full"), temp, "stress", "--help")) {
      WeirProcess.Ended ended = weir.await();
      assertEquals(1, ended.exitCode(), ended.toString());
      assertEquals(
          "weir: standard output cannot be written: No space left on device\n", ended.err());
    }
  }

  /** The words of a command; TEMP is the directory of this test. */
  private String[] arguments(String command) {
    return Stream.of(command.split(" "))
        .map(word -> word.replace("TEMP", temp.toString()))
        .toArray(String[]::new);
  }

  private static void assertRefused(String message, String... arguments) {
    assertRefused(message, InProcess.run(arguments));
  }

  private void assertRefusedInAProcess(String message, String... arguments) throws Exception {
    assertRefused(message, WeirProcess.run(temp, arguments));
  }

  private static void assertRefused(String message, WeirProcess.Ended ended) {
    assertEquals(2, ended.exitCode(), ended.toString());
    assertEquals("", ended.out());
    List<String> lines = ended.err().lines().toList();
    assertEquals(2, lines.size(), ended.toString());
    assertTrue(lines.get(0).startsWith("weir: "), ended.toString());
    assertTrue(lines.get(0).contains(message), message + " is missing:\n" + ended);
    assertTrue(lines.get(1).matches("Try 'weir( \\w+)? --help'\\."), ended.toString());
  }
}
