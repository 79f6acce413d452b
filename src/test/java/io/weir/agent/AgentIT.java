package io.weir.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.tools.attach.VirtualMachine;
import io.weir.suite.LongRun;
import io.weir.suite.Slow;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The packaged agent in applications that know nothing of it, each in a JVM of its own. */
@Slow("starts applications")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AgentIT {

  private static final Path LUCENE = lucene("10.5.1");
  private static final long CAP = 4_000_000;
  private static final long BURST = 100_000;
  private static final String WEIRS_SCHEDULER = "io.weir.merge.RateLimitedMergeScheduler";
  private static final String FOUND = "900";

  @TempDir Path temp;

  /** As the build has copied it. */
  private static Path lucene(String version) {
    return Path.of("target", "lucene", "lucene-core-" + version + ".jar").toAbsolutePath();
  }

  private static Path agent() {
    return built("weir-agent-");
  }

  private static Path built(String prefix) {
    return Path.of("target", prefix + System.getProperty("weir.version") + ".jar").toAbsolutePath();
  }

  private static ApplicationJvm start(
      Path directory, List<String> application, String reopening, String merging) throws Exception {
    List<String> arguments = new ArrayList<>(application);
    arguments.addAll(List.of(directory.resolve("index").toString(), reopening, merging));
    return ApplicationJvm.start(
        directory, Path.of(System.getProperty("java.home"), "bin", "java").toString(), arguments);
  }

  private static ApplicationJvm start(
      Path directory,
      Packing packing,
      Path lucene,
      String options,
      String reopening,
      String merging)
      throws Exception {
    List<String> arguments = new ArrayList<>(List.of("-javaagent:" + agent() + "=" + options));
    if (packing == Packing.MODULES) {
      arguments.addAll(List.of("--add-modules", "jdk.httpserver"));
    }
    arguments.addAll(packing.arguments(directory, lucene));
    return start(directory, arguments, reopening, merging);
  }

  @ParameterizedTest
  @CsvSource({
    "CLASS_PATH, 10.5.1, cap=4MB/s",
    "SPRING_BOOT, 9.12.3, 'cap=1kB/s,schedule=00:00-24:00 4MB/s'",
    "CHILD_LOADER, 10.3.2, cap=4MB/s",
    "MODULES, 10.5.1, 'cap=1kB/s,schedule=00:00-24:00 4MB/s'"
  })
  void cap_inAnApplicationThatIsPackedSo_isKept_untilTheAgentIsDetached(
      Packing packing, String version, String cap) throws Exception {
    capIsKeptUntilTheAgentIsDetached(packing, version, cap);
  }

  @ParameterizedTest
  @ValueSource(strings = {"9.12.3", "10.3.2"})
  @LongRun(
      "the versions that cap_inAnApplicationThatIsPackedSo_isKept_untilTheAgentIsDetached has only"
          + " in other packings")
  void cap_onAnOlderLucene_isKept_untilTheAgentIsDetached(String version) throws Exception {
    capIsKeptUntilTheAgentIsDetached(Packing.CLASS_PATH, version, "cap=4MB/s");
  }

  private void capIsKeptUntilTheAgentIsDetached(Packing packing, String version, String cap)
      throws Exception {
    try (ApplicationJvm notes =
        start(temp, packing, lucene(version), cap + ",port=0", "manager", "concurrent")) {
      assertEquals(WEIRS_SCHEDULER, notes.awaitLine("scheduler"));
      notes.awaitLine("searched");
      assertEquals(40, (long) value(notes.metrics(), "lucene_refresh_seconds_count.*changed"));
      notes.goOn();

      double seconds = Long.parseLong(notes.awaitLine("merged")) / 1e3;
      notes.awaitLine("ready");
      String metrics = notes.metrics();
      double written = value(metrics, "lucene_merge_written_bytes_total.*forced");
      assertTrue(written > CAP, metrics);
      assertTrue(seconds > (written - BURST) / CAP, written + " bytes in " + seconds + " s");
      assertEquals(
          value(metrics, "lucene_merge_written_bytes_total"),
          value(metrics, "lucene_merge_throttle_granted_bytes_total"));
      assertEquals(CAP, value(metrics, "lucene_merge_rate_limit_bytes_per_second"));
      detach(notes);
      notes.goOn();

      assertEquals(FOUND, notes.awaitLine("found"));
      assertEquals("true", notes.awaitLine("clean"));
      assertEquals(0, notes.exitCode());
      List<String> lines = notes.agentLines();
      assertEquals(2, lines.size(), lines::toString); // where the metrics are, and the end
    }
  }

  @ParameterizedTest
  @CsvSource({"CLASS_PATH, manager", "CHILD_LOADER, direct"})
  void measure_showsReopensMergesAndCauses_andCapsNothing(Packing packing, String reopening)
      throws Exception {
    try (ApplicationJvm notes =
        start(temp, packing, LUCENE, "measure,port=0,slow=1ms", reopening, "concurrent")) {
      notes.awaitLine("searched");
      String metrics = notes.metrics();
      assertEquals(40, (long) value(metrics, "lucene_refresh_seconds_count.*changed"), metrics);
      assertTrue(value(metrics, "lucene_refresh_slow_seconds_count.*") > 0, metrics);
      assertEquals(
          Double.POSITIVE_INFINITY, value(metrics, "lucene_merge_rate_limit_bytes_per_second"));
      try (JMXConnector jmx = connect(notes)) {
        MBeanServerConnection server = jmx.getMBeanServerConnection();
        ObjectName reopens =
            server.queryNames(new ObjectName("io.weir:type=Reopens,*"), null).iterator().next();
        assertEquals(40L, server.getAttribute(reopens, "Changed"));
        assertTrue((long) server.getAttribute(reopens, "Slow") > 0);
      }
      notes.goOn();

      notes.awaitLine("ready");
      assertTrue(value(notes.metrics(), "lucene_merge_written_bytes_total.*forced") > CAP);
      notes.goOn();
      assertEquals(FOUND, notes.awaitLine("found"));
      assertEquals("true", notes.awaitLine("clean"));
    }
  }

  /** The agent held the loader of each application that it had ever measured. */
  @ParameterizedTest
  @CsvSource({"measure, direct, 9.12.3", "cap=100MB/s, manager, 10.5.1"})
  void application_thatWasUndeployed_isCollected_andOnlyTheRunningOneHasFigures(
      String options, String reopening, String version) throws Exception {
    undeployedAreCollected(options, reopening, version);
  }

  @ParameterizedTest
  @CsvSource({"measure, manager", "measure, direct", "cap=100MB/s, direct"})
  @LongRun(
      "the pairs that"
          + " application_thatWasUndeployed_isCollected_andOnlyTheRunningOneHasFigures leaves out")
  void application_thatWasUndeployed_otherPairs_isCollected(String options, String reopening)
      throws Exception {
    undeployedAreCollected(options, reopening, "10.5.1");
  }

  private void undeployedAreCollected(String options, String reopening, String version)
      throws Exception {
    try (ApplicationJvm server =
        start(
            temp, Packing.SERVER, lucene(version), options + ",port=0", reopening, "concurrent")) {
      assertEquals("0", server.awaitLine("held"), "loaders of applications that have ended");
      server.awaitLine("searched");
      String metrics = server.metrics();
      assertEquals(40, (long) value(metrics, "lucene_refresh_seconds_count.*changed"), metrics);
      assertEquals(
          Set.of(temp.resolve("index3").toString()),
          Pattern.compile("index=\"([^\"]+)\"")
              .matcher(metrics)
              .results()
              .map(match -> match.group(1))
              .collect(Collectors.toSet()));
      server.goOn();
      server.awaitLine("ready");
      server.goOn();
      assertEquals(FOUND, server.awaitLine("found"));
      assertEquals("true", server.awaitLine("clean"));
    }
  }

  @Test
  void attach_toARunningApplication_thenDetach_leavesItAsItWas() throws Exception {
    List<String> arguments = new ArrayList<>(List.of("-XX:+EnableDynamicAgentLoading"));
    arguments.addAll(Packing.CLASS_PATH.arguments(temp, LUCENE));
    try (ApplicationJvm notes = start(temp, arguments, "direct", "concurrent")) {
      assertEquals(
          "org.apache.lucene.index.ConcurrentMergeScheduler", notes.awaitLine("scheduler"));
      notes.awaitLine("searched");
      VirtualMachine machine = VirtualMachine.attach(Long.toString(notes.pid()));
      machine.loadAgent(agent().toString(), "measure");
      machine.detach();
      notes.goOn();
      notes.awaitLine("reopened");
      try (JMXConnector jmx = connect(notes)) {
        MBeanServerConnection server = jmx.getMBeanServerConnection();
        ObjectName name = new ObjectName("io.weir:type=Agent");
        assertEquals("measure", server.getAttribute(name, "Options"));
        assertEquals(1, server.queryNames(new ObjectName("io.weir:type=Reopens,*"), null).size());
      }
      detach(notes);
      notes.awaitLine("ready");
      notes.goOn();
      assertEquals(FOUND, notes.awaitLine("found"));
      assertEquals("true", notes.awaitLine("clean"));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'cpa=2MB/s', concurrent, 'unknown option ''cpa'', did you mean ''cap''?'",
    "'cap=2MB/s', own, 'its merge scheduler is not Lucene''s concurrent one'",
    "'measure', serial, 'its merge scheduler is not Lucene''s concurrent one'"
  })
  void options_orAWriter_thatTheAgentCannotServe_areOneLine_andTheApplicationRuns(
      String options, String merging, String line) throws Exception {
    try (ApplicationJvm notes =
        start(temp, Packing.CLASS_PATH, LUCENE, options, "direct", merging)) {
      assertNotEquals(WEIRS_SCHEDULER, notes.awaitLine("scheduler"));
      runsAsWithout(notes, line);
    }
  }

  @Test
  void agent_twice_saysSo_andTheFirstWorks() throws Exception {
    List<String> arguments = new ArrayList<>(List.of("-javaagent:" + agent() + "=measure"));
    arguments.add("-javaagent:" + agent() + "=cap=1kB/s");
    arguments.addAll(Packing.CLASS_PATH.arguments(temp, LUCENE));
    try (ApplicationJvm notes = start(temp, arguments, "direct", "concurrent")) {
      assertEquals(WEIRS_SCHEDULER, notes.awaitLine("scheduler"));
      runsAsWithout(notes, "the second one does nothing: cap=1kB/s");
    }
  }

  @Test
  void agent_whereAnEngineIs_namesThePlugin() throws Exception {
    Path engine = temp.resolve("engine");
    Path sign = engine.resolve("org/opensearch/index/engine/Engine.class");
    Files.createDirectories(sign.getParent());
    Files.createFile(sign);
    List<String> packed = new ArrayList<>(Packing.CLASS_PATH.arguments(temp, LUCENE));
    packed.set(1, packed.get(1) + File.pathSeparator + engine);
    List<String> arguments = new ArrayList<>(List.of("-javaagent:" + agent() + "=cap=2MB/s"));
    arguments.addAll(packed);
    try (ApplicationJvm notes = start(temp, arguments, "direct", "concurrent")) {
      assertNotEquals(WEIRS_SCHEDULER, notes.awaitLine("scheduler"));
      runsAsWithout(notes, "this is OpenSearch: use Weir's plug-in for it, weir-opensearch");
    }
  }

  @Test
  void agent_withWeirInTheApplication_leavesItsWriterAlone() throws Exception {
    List<String> packed = new ArrayList<>(Packing.CLASS_PATH.arguments(temp, LUCENE));
    packed.set(1, packed.get(1) + File.pathSeparator + built("weir-"));
    List<String> arguments = new ArrayList<>(List.of("-javaagent:" + agent() + "=cap=2MB/s"));
    arguments.addAll(packed);
    try (ApplicationJvm notes = start(temp, arguments, "direct", "weir")) {
      assertEquals(WEIRS_SCHEDULER, notes.awaitLine("scheduler"));
      runsAsWithout(notes, "because the application uses Weir itself");
    }
  }

  @Test
  void agent_withALuceneOutOfRange_saysSo() throws Exception {
    Path classes = Files.createDirectory(temp.resolve("old"));
    compile(
        classes,
        "package org.apache.lucene.util; public class Version {"
            + " public static final String LATEST = \"8.11.4\"; }",
        "package org.apache.lucene.store; public class Directory {}",
        "package org.apache.lucene.index; public class IndexWriterConfig {}",
        "package org.apache.lucene.index; public class IndexWriter {"
            + " public IndexWriter(org.apache.lucene.store.Directory d, IndexWriterConfig c) {} }",
        "package old; public class Main { public static void main(String[] a) {"
            + " new org.apache.lucene.index.IndexWriter(new org.apache.lucene.store.Directory(),"
            + " new org.apache.lucene.index.IndexWriterConfig());"
            + " System.out.println(\"opened\"); } }");
    List<String> arguments =
        List.of("-javaagent:" + agent() + "=cap=2MB/s", "-cp", classes.toString(), "old.Main");
    try (ApplicationJvm old = start(temp, arguments, "direct", "concurrent")) {
      old.awaitLine("opened");
      assertEquals(0, old.exitCode());
      List<String> lines = old.agentLines();
      assertEquals(1, lines.size(), old.errors());
      assertTrue(
          lines.getFirst().startsWith("weir-agent: Lucene 8.11 is not supported, only "),
          lines::toString);
    }
  }

  /** Each source begins with its package, and has one public class. */
  private void compile(Path classes, String... sources) throws Exception {
    List<String> arguments = new ArrayList<>(List.of("--release", "21", "-d", classes.toString()));
    for (String source : sources) {
      String name = source.replaceFirst("(?s)package ([\\w.]+);.*?class (\\w+).*", "$1.$2");
      Path file = temp.resolve("source").resolve(name.replace('.', '/') + ".java");
      Files.createDirectories(file.getParent());
      arguments.add(Files.writeString(file, source).toString());
    }
    int exitCode =
        ToolProvider.findFirst("javac")
            .orElseThrow()
            .run(System.out, System.err, arguments.toArray(String[]::new));
    assertEquals(0, exitCode);
  }

  /** It says one line of the agent's, finds what it always finds, and its merge has no cap. */
  private static void runsAsWithout(ApplicationJvm notes, String line) throws Exception {
    notes.awaitLine("searched");
    notes.goOn();
    notes.goOn();
    assertEquals(FOUND, notes.awaitLine("found"));
    assertEquals("true", notes.awaitLine("clean"));
    assertEquals(0, notes.exitCode());
    List<String> lines = notes.agentLines();
    assertEquals(1, lines.size(), notes.errors());
    assertTrue(lines.getFirst().contains(line), lines::toString);
  }

  /** The sum of the meters whose lines begin with this. */
  private static double value(String metrics, String name) {
    double[] values =
        Pattern.compile("(?m)^" + name + ".* (\\S+)$")
            .matcher(metrics)
            .results()
            .map(line -> line.group(1).replace("+Inf", "Infinity"))
            .mapToDouble(Double::parseDouble)
            .toArray();
    assertTrue(values.length > 0, name + " is not in\n" + metrics);
    return Arrays.stream(values).sum();
  }

  private static void detach(ApplicationJvm notes) throws Exception {
    try (JMXConnector jmx = connect(notes)) {
      MBeanServerConnection server = jmx.getMBeanServerConnection();
      server.invoke(new ObjectName("io.weir:type=Agent"), "detach", null, null);
      assertEquals(Set.of(), server.queryNames(new ObjectName("io.weir:*"), null));
    }
  }

  private static JMXConnector connect(ApplicationJvm notes) throws Exception {
    VirtualMachine machine = VirtualMachine.attach(Long.toString(notes.pid()));
    try {
      return JMXConnectorFactory.connect(new JMXServiceURL(machine.startLocalManagementAgent()));
    } finally {
      machine.detach();
    }
  }
}
