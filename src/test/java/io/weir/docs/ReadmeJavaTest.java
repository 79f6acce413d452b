package io.weir.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The Java of the README is Java, of this version. */
class ReadmeJavaTest {

  private static final Pattern BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  private static final String AROUND =
      """
      import io.weir.*;
      import io.weir.control.*;
      import io.weir.merge.*;
      import io.weir.nrt.*;
      import io.weir.rate.*;
      import io.weir.store.*;
      import java.nio.file.Path;
      import org.apache.lucene.analysis.Analyzer;
      import org.apache.lucene.index.*;
      import org.apache.lucene.search.*;
      import org.apache.lucene.store.*;
      class Readme {
        %s
        static void application(Path path, Analyzer analyzer) throws Exception {
      %s
        }
      }
      """;

  @TempDir Path classes;

  static Stream<String> blocks() throws IOException {
    List<String> blocks =
        BLOCK
            .matcher(Files.readString(Path.of("README.md")))
            .results()
            .map((MatchResult block) -> block.group(1))
            .toList();
    assertEquals(2, blocks.size(), "blocks of Java in the README");
    return blocks.stream();
  }

  @ParameterizedTest
  @MethodSource("blocks")
  void block_compiles(String block) {
    // What the block before declares, it does not declare again.
    String before = block.contains("ByteBudget budget") ? "" : "static ByteBudget budget;";
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
            List.of(source(AROUND.formatted(before, block))))
        .call();
    assertEquals(
        List.of(),
        told.getDiagnostics().stream()
            .filter(d -> d.getKind() == Diagnostic.Kind.ERROR)
            .map(d -> d.getMessage(Locale.ROOT) + " in line " + d.getLineNumber())
            .toList());
  }

  private static JavaFileObject source(String text) {
    return new SimpleJavaFileObject(
        URI.create("string:///Readme.java"), JavaFileObject.Kind.SOURCE) {
      @Override
      public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return text;
      }
    };
  }
}
