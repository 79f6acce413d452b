package io.weir.packaging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.suite.Slow;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A Maven project elsewhere that knows nothing of this repository: it depends on Weir as its users
 * do, is compiled and run.
 *
 * <p>Its local repository holds Weir's jars and POMs as packaged; everything else in it is a link
 * to the machine's, so that nothing is fetched and Weir is installed nowhere else.
 */
@Slow("starts Maven")
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FreshProjectIT {

  private static final String WITH_METRICS =
      """
          <dependency>
            <groupId>io.weir</groupId>
            <artifactId>weir-metrics</artifactId>
            <version>VERSION</version>
            <type>pom</type>
          </dependency>
      """;

  private static final String ALONE =
      """
          <dependency>
            <groupId>io.weir</groupId>
            <artifactId>weir</artifactId>
            <version>VERSION</version>
          </dependency>
      """;

  private static final String QUERY_CACHE =
      """
          <dependency>
            <groupId>io.weir</groupId>
            <artifactId>weir-query-cache</artifactId>
            <version>VERSION</version>
          </dependency>
      """;

  private static final String SHOP =
      """
      package shop;

      import io.micrometer.prometheusmetrics.*;
      import io.weir.Weir;
      import io.weir.exporter.*;
      import io.weir.metrics.WeirMetrics;
      import io.weir.nrt.ReopenMonitor;
      import io.weir.rate.ByteBudget;
      import java.io.InputStream;
      import java.net.URI;
      import java.nio.file.*;
      import org.apache.lucene.index.*;
      import org.apache.lucene.search.SearcherManager;

      public class Shop {
        public static void main(String[] args) throws Exception {
          var registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
          try (Weir weir = Weir.builder().name("products").budget(ByteBudget.perSecond(40_000_000)).open(Path.of(args[0]));
              var writer = new IndexWriter(weir.directory(), weir.configure(new IndexWriterConfig()));
              var searchers = new SearcherManager(writer, weir.searcherFactory());
              ReopenMonitor reopens = weir.attach(searchers);
              var server = MetricsServer.start(MetricsServerOptions.local(0), registry)) {
            new WeirMetrics(weir).bindTo(registry);
            writer.addDocument(new org.apache.lucene.document.Document());
            reopens.maybeRefresh();
            var metrics = URI.create("http://localhost:" + server.address().getPort() + "/metrics");
            try (InputStream scrape = metrics.toURL().openStream()) {
              Files.copy(scrape, Path.of(args[1]));
            }
          }
        }
      }
      """;

  private static final String FILTERING_SHOP =
      """
      package shop;

      import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
      import io.weir.cache.OffHeapQueryCache;
      import io.weir.metrics.QueryCacheMetrics;
      import java.nio.file.*;
      import org.apache.lucene.document.*;
      import org.apache.lucene.index.*;
      import org.apache.lucene.search.*;
      import org.apache.lucene.store.*;

      public class Shop {
        static final QueryCachingPolicy ALWAYS =
            new QueryCachingPolicy() {
              @Override
              public void onUse(Query query) {}

              @Override
              public boolean shouldCache(Query query) {
                return true;
              }
            };

        public static void main(String[] args) throws Exception {
          var filters = new OffHeapQueryCache(100, 1 << 20, segment -> true, 1000);
          var registry = new SimpleMeterRegistry();
          new QueryCacheMetrics(filters::snapshot).bindTo(registry);
          try (Directory directory = FSDirectory.open(Path.of(args[0]));
              var writer = new IndexWriter(directory, new IndexWriterConfig())) {
            var order = new Document();
            order.add(new StringField("state", "open", Field.Store.NO));
            writer.addDocument(order);
            try (DirectoryReader reader = DirectoryReader.open(writer)) {
              var searcher = new IndexSearcher(reader);
              searcher.setQueryCache(filters);
              searcher.setQueryCachingPolicy(ALWAYS);
              var open = new TermQuery(new Term("state", "open"));
              for (int search = 0; search < 2; search++) {
                searcher.search(
                    new BooleanQuery.Builder()
                        .add(new MatchAllDocsQuery(), BooleanClause.Occur.MUST)
                        .add(open, BooleanClause.Occur.FILTER)
                        .build(),
                    1);
              }
            }
          }
          double hits = registry.get("lucene.query.cache.lookups").tag("result", "hit").functionCounter().count();
          Files.writeString(Path.of(args[1]), "inserts " + filters.snapshot().inserts() + ", hits " + (int) hits);
        }
      }
      """;

  private static final String FILTERING_MODULE =
      """
      module shop {
        requires io.weir.cache;
        requires micrometer.core;
      }
      """;

  private static final String MODULE =
      """
      module shop {
        requires io.weir;
        requires micrometer.core;
        requires micrometer.registry.prometheus;
      }
      """;

  @TempDir Path temp;
  private Path project;
  private Path repository;

  @BeforeEach
  void makeRepository() throws IOException {
    boolean maven =
        Stream.of(System.getenv("PATH").split(File.pathSeparator))
            .anyMatch(directory -> Files.isExecutable(Path.of(directory, "mvn")));
    assumeTrue(maven, "no mvn on PATH: whether a fresh project can use the library is not tested");
    project = Files.createDirectory(temp.resolve("shop"));
    repository = Files.createDirectory(temp.resolve("repository"));
    String machines = System.getProperty("localRepository"); // as the build that runs this has it
    Path linked =
        machines != null
            ? Path.of(machines)
            : Path.of(System.getProperty("user.home"), ".m2", "repository");
    linkAllBut("io", linked, repository);
    Path io = Files.createDirectory(repository.resolve("io"));
    linkAllBut("weir", linked.resolve("io"), io);
    install("weir", Artifact.built("weir-", ".jar"));
    install("weir-metrics", null);
    install("weir-query-cache", Artifact.built("modules/weir-", "-query-cache.jar"));
  }

  /**
   * Here, because a directory with links to what must stay is not to be left to others to delete.
   */
  @AfterEach
  void removeLinks() throws IOException {
    if (repository != null) {
      for (Path directory : List.of(repository, repository.resolve("io"))) {
        try (Stream<Path> children = Files.list(directory)) {
          for (Path link : children.filter(Files::isSymbolicLink).toList()) {
            Files.delete(link);
          }
        }
      }
    }
  }

  @Test
  void libraryAlone_bringsLuceneAndNothingElse() throws Exception {
    assertEquals(
        List.of(
            "shop:shop:jar:1",
            "\\- io.weir:weir:jar:" + Artifact.VERSION + ":compile",
            "   \\- org.apache.lucene:lucene-core:jar:VERSION:compile"),
        tree(ALONE));
  }

  @Test
  void withMetrics_onTheClassPath_servesThem() throws Exception {
    String libraries = compile(SHOP, WITH_METRICS);
    assertServed(runOnTheClassPath(libraries));
  }

  @Test
  void withMetrics_onTheModulePath_servesThem() throws Exception {
    write("src/main/java/module-info.java", MODULE);
    String libraries = compile(SHOP, WITH_METRICS);
    assertServed(runOnTheModulePath(libraries));
  }

  @Test
  void queryCacheAlone_bringsTheLibraryAndLucene() throws Exception {
    assertEquals(
        List.of(
            "shop:shop:jar:1",
            "\\- io.weir:weir-query-cache:jar:" + Artifact.VERSION + ":compile",
            "   +- io.weir:weir:jar:" + Artifact.VERSION + ":compile",
            "   \\- org.apache.lucene:lucene-core:jar:VERSION:compile"),
        tree(QUERY_CACHE));
  }

  @Test
  void queryCache_onTheClassPath_cachesFilters() throws Exception {
    String libraries = compile(FILTERING_SHOP, QUERY_CACHE + WITH_METRICS);
    assertEquals("inserts 1, hits 1", runOnTheClassPath(libraries));
  }

  @Test
  void queryCache_onTheModulePath_cachesFilters() throws Exception {
    write("src/main/java/module-info.java", FILTERING_MODULE);
    String libraries = compile(FILTERING_SHOP, QUERY_CACHE + WITH_METRICS);
    assertEquals("inserts 1, hits 1", runOnTheModulePath(libraries));
  }

  /** What a project with this dependency has, whatever version of Lucene that is. */
  private List<String> tree(String dependency) throws Exception {
    pom(dependency);
    maven(plugin("maven-dependency-plugin") + ":tree", "-DoutputFile=tree.txt");
    return Files.readAllLines(project.resolve("tree.txt")).stream()
        .map(line -> line.replaceFirst("(lucene-core:jar:)[0-9.]+", "$1VERSION"))
        .toList();
  }

  /** Returns its libraries as a path. */
  private String compile(String source, String dependencies) throws Exception {
    pom(dependencies);
    write("src/main/java/shop/Shop.java", source);
    maven(
        plugin("maven-compiler-plugin") + ":compile",
        plugin("maven-dependency-plugin") + ":build-classpath",
        "-Dmdep.outputFile=libraries.txt",
        "-DincludeTypes=jar");
    return Files.readString(project.resolve("libraries.txt")).strip();
  }

  private String runOnTheClassPath(String libraries) throws Exception {
    return run(
        "-cp", project.resolve("target/classes") + File.pathSeparator + libraries, "shop.Shop");
  }

  private String runOnTheModulePath(String libraries) throws Exception {
    return run(
        "-p",
        project.resolve("target/classes") + File.pathSeparator + libraries,
        "-m",
        "shop/shop.Shop");
  }

  /** What the shop left in a file. */
  private String run(String... options) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(options));
    command.addAll(List.of("index", "answer.txt"));
    String said = ended(command);
    Path answer = project.resolve("answer.txt");
    assertTrue(Files.exists(answer), said);
    return Files.readString(answer);
  }

  private static void assertServed(String text) {
    assertTrue(text.contains("lucene_refresh_seconds_count{index=\"products\""), text);
    assertTrue(text.contains("lucene_writeback_started_bytes_total{index=\"products\"}"), text);
  }

  private void pom(String dependency) throws IOException {
    write(
        "pom.xml",
        """
        <project>
          <modelVersion>4.0.0</modelVersion>
          <groupId>shop</groupId>
          <artifactId>shop</artifactId>
          <version>1</version>
          <properties>
            <maven.compiler.release>21</maven.compiler.release>
            <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
          </properties>
          <dependencies>
        %s  </dependencies>
        </project>
        """
            .formatted(dependency.replace("VERSION", Artifact.VERSION)));
  }

  private void maven(String... arguments) throws Exception {
    List<String> command =
        new ArrayList<>(List.of("mvn", "-B", "-o", "-q", "-Dmaven.repo.local=" + repository));
    command.addAll(List.of(arguments));
    ended(command);
  }

  /** What a process said that ended well. */
  private String ended(List<String> command) throws Exception {
    Path output = temp.resolve("output");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(project.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process process = builder.start();
    try {
      assertTrue(process.waitFor(150, TimeUnit.SECONDS), "still running");
    } finally {
      process.destroyForcibly();
    }
    String said = Files.readString(output);
    assertEquals(0, process.exitValue(), said);
    return said;
  }

  /** The plugin in the version that our own build has, which is on this machine. */
  private static String plugin(String name) throws IOException {
    Matcher version =
        Pattern.compile("<artifactId>" + name + "</artifactId>\\s*<version>([^<]+)")
            .matcher(Files.readString(Path.of("pom.xml")));
    assertTrue(version.find(), name);
    return "org.apache.maven.plugins:" + name + ":" + version.group(1);
  }

  private void install(String artifactId, Path jar) throws IOException {
    Path directory = repository.resolve("io/weir/" + artifactId + "/" + Artifact.VERSION);
    Files.createDirectories(directory);
    String name = artifactId + "-" + Artifact.VERSION;
    Files.copy(Artifact.pom(artifactId), directory.resolve(name + ".pom"));
    if (jar != null) {
      Files.copy(jar, directory.resolve(name + ".jar"));
    }
  }

  private static void linkAllBut(String name, Path from, Path to) throws IOException {
    try (Stream<Path> children = Files.list(from)) {
      for (Path child : children.toList()) {
        if (!child.getFileName().toString().equals(name)) {
          Files.createSymbolicLink(to.resolve(child.getFileName()), child.toAbsolutePath());
        }
      }
    }
  }

  private void write(String name, String text) throws IOException {
    Path file = project.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
