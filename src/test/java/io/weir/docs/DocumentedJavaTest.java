package io.weir.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The Java of the documentation is Java, of this version. */
class DocumentedJavaTest {

  private static final Pattern BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  /** How many blocks each document has. */
  private static final Map<String, Integer> DOCUMENTS =
      Map.of(
          "README.md", 1,
          "docs/EMBEDDING.md", 4,
          "docs/LIMIT-MERGES.md", 6,
          "docs/METRICS.md", 1,
          "docs/QUERY-CACHE.md", 1);

  /** What a block may use that it does not declare. */
  private static final Map<String, String> GIVEN =
      Map.ofEntries(
          Map.entry("budget", "ByteBudget"),
          Map.entry("config", "IndexWriterConfig"),
          Map.entry("disk", "ByteBudget"),
          Map.entry("weir", "Weir"),
          Map.entry("directory", "Directory"),
          Map.entry("reopens", "ReopenMonitor"),
          Map.entry("writer", "IndexWriter"),
          Map.entry("id", "Term"),
          Map.entry("document", "Iterable<IndexableField>"),
          Map.entry("handedOver", "long"),
          Map.entry("registry", "MeterRegistry"),
          Map.entry("prometheusRegistry", "PrometheusMeterRegistry"));

  private static final String AROUND =
      """
      import io.micrometer.core.instrument.*;
      import io.micrometer.prometheusmetrics.*;
      import io.weir.cache.*;
      import java.net.URI;
      import java.nio.file.Path;
      import java.time.Duration;
      import java.time.Instant;
      import java.time.ZoneId;
      import java.util.Map;
      import org.apache.lucene.analysis.Analyzer;
      %s
      class Documented {
      %s
        static void application(Path path, Analyzer analyzer) throws Exception {
      %s
        }
      }
      """;

  @TempDir Path classes;

  /** The first block of that page, which says what the others import. */
  private static String imports() throws IOException {
    var first = BLOCK.matcher(Files.readString(Path.of("docs/EMBEDDING.md")));
    return first.find() ? first.group(1) : "";
  }

  static Stream<Arguments> blocks() throws IOException {
    List<Arguments> all = new ArrayList<>();
    for (Map.Entry<String, Integer> document : DOCUMENTS.entrySet()) {
      List<String> blocks =
          BLOCK
              .matcher(Files.readString(Path.of(document.getKey())))
              .results()
              .map((MatchResult block) -> block.group(1))
              .filter(block -> !block.startsWith("import "))
              .toList();
      assertEquals(document.getValue(), blocks.size(), "blocks of Java in " + document.getKey());
      blocks.forEach(block -> all.add(Arguments.of(document.getKey(), block)));
    }
    return all.stream();
  }

  @ParameterizedTest
  @MethodSource("blocks")
  void block_compiles_withTheImportsOfThePages(String document, String block) throws IOException {
    String given =
        GIVEN.entrySet().stream()
            .filter(name -> !block.contains(" " + name.getKey() + " = "))
            .map(name -> "  static %s %s;".formatted(name.getValue(), name.getKey()))
            .collect(Collectors.joining("\n"));
    DiagnosticCollector<JavaFileObject> told = new DiagnosticCollector<>();
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    compiler
        .getTask(
            null,
            null,
            told,
            List.of(
                "-proc:none",
                "-d",
                classes.toString(),
                "-cp",
                System.getProperty("java.class.path")),
            null,
            List.of(source(AROUND.formatted(imports(), given, block))))
        .call();
    assertEquals(
        List.of(),
        told.getDiagnostics().stream()
            .filter(d -> d.getKind() == Diagnostic.Kind.ERROR)
            .map(d -> d.getMessage(Locale.ROOT) + " in line " + d.getLineNumber())
            .toList(),
        document);
  }

  private static JavaFileObject source(String text) {
    return new SimpleJavaFileObject(
        URI.create("string:///Documented.java"), JavaFileObject.Kind.SOURCE) {
      @Override
      public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return text;
      }
    };
  }
}
