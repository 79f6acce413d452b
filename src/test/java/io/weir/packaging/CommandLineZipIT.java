package io.weir.packaging;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.suite.Slow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The command line from its zip: unpacked below a directory with a space in its name, started from
 * another directory, with a PATH that has neither Maven nor Java nor git.
 *
 * <p>{@code bin/weir.bat} is read, not run: no Windows here.
 */
@Slow("starts Weir from its zip")
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CommandLineZipIT {

  @TempDir Path temp;
  private Path home;
  private Path elsewhere;
  private final Map<String, String> environment = new HashMap<>();

  private record Ended(int exitCode, String out, String err) {}

  @BeforeEach
  void unpack() throws IOException {
    home = unpackInto(Files.createDirectory(temp.resolve("a directory")));
    elsewhere = Files.createDirectory(temp.resolve("elsewhere"));
    Path bin = Files.createDirectory(temp.resolve("bin"));
    for (String tool : List.of("dirname", "readlink", "sed")) {
      Path found =
          Stream.of("/usr/bin", "/bin")
              .map(dir -> Path.of(dir, tool))
              .filter(Files::exists)
              .findFirst()
              .orElse(null);
      assumeTrue(found != null, "no " + tool + " here");
      Files.createSymbolicLink(bin.resolve(tool), found);
    }
    environment.put("PATH", bin.toString());
    environment.put("JAVA_HOME", System.getProperty("java.home"));
  }

  @Test
  void zip_holdsOneDirectoryWithLicencesAndLibraries() throws Exception {
    assertEquals("weir-cli-" + Artifact.VERSION, home.getFileName().toString());
    assertEquals(
        List.of(
            "LIBRARIES.txt",
            "LICENSE",
            "NOTICE",
            "README.md",
            "bin",
            "completion",
            "grafana",
            "lib",
            "man"),
        names(home));
    assertEquals(List.of("weir"), names(home.resolve("completion")));
    assertEquals(List.of("man1"), names(home.resolve("man")));
    assertEquals(
        List.of(
            "weir-history-add.1",
            "weir-history-check.1",
            "weir-history-export.1",
            "weir-history-note.1",
            "weir-history-render.1",
            "weir-history.1",
            "weir-index.1",
            "weir-load.1",
            "weir-report.1",
            "weir-stress.1",
            "weir-sweep.1",
            "weir-why.1",
            "weir.1"),
        names(home.resolve("man/man1")));
    assertEquals(List.of("weir-alerts.yml", "weir.json"), names(home.resolve("grafana")));
    assertEquals(List.of("weir", "weir.bat"), names(home.resolve("bin")));
    assertTrue(names(home.resolve("lib")).contains("weir-" + Artifact.VERSION + ".jar"));
    assertTrue(names(home.resolve("lib")).contains("weir-cli-" + Artifact.VERSION + ".jar"));
    assertTrue(
        names(home.resolve("lib")).stream().noneMatch(name -> name.matches(".*(junit|jmh).*")));
    String readme = Files.readString(home.resolve("README.md"));
    assertTrue(readme.startsWith("# Weir " + Artifact.VERSION), readme);
  }

  /** Each page has what {@code --help=all} has of its command, and no date of its build. */
  @Test
  void man_ofEachCommand_hasItsOptionsAndExamples() throws Exception {
    for (String name : names(home.resolve("man/man1"))) {
      String page = Files.readString(home.resolve("man/man1").resolve(name));
      String all =
          weir((name.replace(".1", "").replace("weir", "").replace('-', ' ').strip()
                      + " --help=all")
                  .strip()
                  .split(" "))
              .out();

      assertTrue(
          page.contains(".TH \"" + name.replace(".1", "").toUpperCase().replace("-", "\\-")), name);
      assertTrue(page.contains("Weir " + Artifact.VERSION), name);
      assertTrue(page.contains("Examples:"), name);
      String plain = page.replace("\\-", "-").replace("\\", "");
      Pattern.compile("(?m)^ +(?:-., )?(--[a-z-]+)")
          .matcher(all)
          .results()
          .forEach(option -> assertTrue(plain.contains(option.group(1)), name + option.group(1)));
    }
    assertTrue(
        Files.readString(home.resolve("man/man1/weir-stress.1")).contains("hold=LATENCY"),
        "the settings of arms");
  }

  @Test
  void completion_inBash_completesCommands() throws Exception {
    Path bash = Path.of("/bin/bash");
    assumeTrue(Files.exists(bash), "no bash here");
    Ended ended =
        run(
            bash.toString(),
            "-c",
            "source '%s'; COMP_WORDS=(weir hi) COMP_CWORD=1; _complete_weir; echo \"${COMPREPLY[@]}\""
                .formatted(home.resolve("completion/weir")));
    assertEquals("history", ended.out().strip(), ended.err());
  }

  /** By the key of a terminal: zsh runs a completion of bash's in a mode of its own. */
  @Test
  void completion_inZsh_completesCommands() throws Exception {
    Path zsh = Path.of("/usr/bin/zsh");
    assumeTrue(Files.exists(zsh), "no zsh here");
    environment.put("ZDOTDIR", elsewhere.toString());
    Ended ended =
        run(
            zsh.toString(),
            "-f",
            "-c",
            """
            zmodload zsh/zpty && zpty terminal /usr/bin/zsh -f -i || exit 1
            zpty -w terminal "PS1=; source '$1'; weir() { print -r -- \\"<\\$*>\\" }; print rea''dy"
            zpty -r -m terminal shown '*ready*'
            zpty -n -w terminal $'weir hi\\t\\n'
            zpty -r -m terminal shown '*<*>*'
            print -r -- "${${shown#*<}%>*}"
            zpty -d terminal
            """,
            "zsh",
            home.resolve("completion/weir").toString());
    assertEquals("history", ended.out().strip(), ended.err());
  }

  @Test
  void weir_version_isItsOwn() throws Exception {
    Ended ended = weir("--version");
    assertEquals(0, ended.exitCode(), ended.err());
    assertTrue(ended.out().startsWith("weir " + Artifact.VERSION + " (Lucene "), ended.out());
    assertEquals("", ended.err());
  }

  @Test
  void weir_stressThenReport_leaveARunDirectoryWhereTheyWereStarted() throws Exception {
    Ended stress =
        weir(
            "stress",
            "--out",
            "a run",
            "--doc-count",
            "1000",
            "--arm",
            "one: cap=off",
            "--warmup",
            "1s",
            "--before",
            "1s",
            "--after",
            "1s");
    assertEquals(0, stress.exitCode(), stress.err());
    Path run = elsewhere.resolve("a run");
    assertTrue(Files.size(run.resolve("report.html")) > 10_000);
    Files.delete(run.resolve("report.html"));

    Ended report = weir("report", "a run");
    assertEquals(0, report.exitCode(), report.err());
    assertTrue(report.out().contains("one"), report.out());
    assertTrue(Files.size(run.resolve("report.html")) > 10_000);
  }

  @Test
  void weir_throughALinkToALink_findsItsLibraries() throws Exception {
    Path link = Files.createSymbolicLink(temp.resolve("link"), home.resolve("bin/weir"));
    Path relative = Files.createSymbolicLink(elsewhere.resolve("weir"), Path.of("../link"));
    assertTrue(Files.isSymbolicLink(link));
    Ended ended = run(relative.toString(), "--version");
    assertEquals(0, ended.exitCode(), ended.err());
    assertTrue(ended.out().startsWith("weir "), ended.out());
  }

  @Test
  void weir_noJava_saysWhatToInstallInOneLine() throws Exception {
    environment.remove("JAVA_HOME");
    environment.put("WEIR_JVM_DIR", elsewhere.toString());
    Ended ended = weir("stress");
    assertEquals(1, ended.exitCode());
    assertEquals("", ended.out());
    assertEquals(1, ended.err().lines().count(), ended.err());
    assertTrue(ended.err().startsWith("weir: no Java 21 or newer in JAVA_HOME, "), ended.err());
  }

  @Test
  void bat_linesEndAsWindowsWants_andStartTheSameProgram() throws Exception {
    String bat = Files.readString(home.resolve("bin/weir.bat"), US_ASCII);
    assertEquals(
        bat.lines().count(), bat.split("\r\n", -1).length - 1, "every line ends with CRLF");
    String start = bat.lines().filter(line -> line.contains("io.weir.cli.Main")).findFirst().get();
    assertTrue(start.startsWith("\"%WEIR_JAVA%\" "), start);
    assertTrue(start.endsWith(" -cp \"%~dp0..\\lib\\*\" io.weir.cli.Main %*"), start);
    String script = Files.readString(home.resolve("bin/weir"));
    Set<String> options = new HashSet<>();
    for (String word : start.split(" ")) {
      if (word.startsWith("-X") || word.startsWith("--")) {
        options.add(word);
      }
    }
    for (String option : options) {
      assertTrue(script.contains(" " + option + " "), option);
    }
    assertEquals(3, options.size(), options::toString);
    Set<String> labels = new HashSet<>();
    bat.lines().filter(line -> line.startsWith(":")).forEach(labels::add);
    bat.lines()
        .filter(line -> line.contains("call :"))
        .map(line -> line.replaceFirst(".*call (:\\w+).*", "$1"))
        .forEach(label -> assertTrue(labels.contains(label), label));
    assertFalse(labels.isEmpty());
  }

  private Ended weir(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(home.resolve("bin/weir").toString()));
    command.addAll(List.of(arguments));
    return run(command.toArray(String[]::new));
  }

  private Ended run(String... command) throws Exception {
    Path out = temp.resolve("out");
    Path err = temp.resolve("err");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(elsewhere.toFile())
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().clear();
    builder.environment().putAll(environment);
    Process process = builder.start();
    try {
      assertTrue(process.waitFor(150, TimeUnit.SECONDS), "still running");
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    return new Ended(
        process.exitValue(), Files.readString(out, UTF_8), Files.readString(err, UTF_8));
  }

  private static Path unpackInto(Path directory) throws IOException {
    Path zip = Artifact.built("weir-cli-", ".zip");
    try (ZipFile file = ZipFile.builder().setPath(zip).get()) {
      for (ZipArchiveEntry entry : Collections.list(file.getEntries())) {
        Path target = directory.resolve(entry.getName()).normalize();
        assertTrue(target.startsWith(directory), entry.getName());
        if (entry.isDirectory()) {
          Files.createDirectories(target);
          continue;
        }
        Files.createDirectories(target.getParent());
        try (var in = file.getInputStream(entry)) {
          Files.copy(in, target);
        }
        boolean executable = (entry.getUnixMode() & 0111) != 0;
        assertEquals(executable, target.toFile().setExecutable(executable) && executable);
      }
    }
    try (Stream<Path> made = Files.list(directory)) {
      List<Path> paths = made.toList();
      assertEquals(1, paths.size(), paths::toString);
      return paths.getFirst();
    }
  }

  private static List<String> names(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }
}
