package io.weir.cli;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.docs.Pages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/**
 * Each command of a page is one that Weir takes. Those of a block are read with all their options
 * and planned, as {@code --dry-run} does, but for files and servers that only the reader has. Of
 * those in a sentence, which may be abridged, the names are known.
 */
class DocumentedCommandsTest {

  private static final Pattern BLOCK = Pattern.compile("(?s)```\\w*\n(.*?)```");
  private static final Pattern SENTENCE = Pattern.compile("`((?:tools/|bin/)?weir [^`\n]+)`");
  private static final Pattern TOOL = Pattern.compile("(?:sudo )?(tools/[\\w-]+)(.*)");
  private static final Pattern WEIR = Pattern.compile("(?:tools/|bin/)?weir (.+)");
  private static final Pattern WORD = Pattern.compile("(?:'[^']*'|\"[^\"]*\"|[^\\s'\"])+");

  @TempDir Path temp;

  static Stream<Arguments> blocks() throws IOException {
    return commands(BLOCK).filter(c -> WEIR.matcher((String) c.get()[1]).matches());
  }

  static Stream<Arguments> tools() throws IOException {
    return commands(BLOCK).filter(c -> TOOL.matcher((String) c.get()[1]).matches());
  }

  static Stream<Arguments> sentences() throws IOException {
    return commands(SENTENCE);
  }

  @Test
  void pages_haveCommands() throws IOException {
    assertTrue(blocks().count() > 50, "in blocks: " + blocks().count());
    assertTrue(sentences().count() > 15, "in sentences: " + sentences().count());
    assertTrue(tools().count() > 40, "of tools: " + tools().count());
  }

  @ParameterizedTest
  @MethodSource("blocks")
  void weir_inABlock_isTakenWithAllItsOptions(String page, String command) throws IOException {
    List<String> words = words(command);
    words.removeFirst();
    CommandLine weir = weir();
    CommandLine.ParseResult parsed =
        assertDoesNotThrow(
            () -> weir.parseArgs(here(words).toArray(String[]::new)), page + ": " + command);
    Object last = parsed.asCommandLineList().getLast().getCommand();
    if (last instanceof RunCommand run) {
      assertDoesNotThrow(run::asked, page + ": " + command);
    }
  }

  @ParameterizedTest
  @MethodSource("sentences")
  void weir_inASentence_hasNamesThatAreKnown(String page, String command) {
    CommandLine weir = weir();
    for (String word : words(command).stream().skip(1).toList()) {
      if (weir.getSubcommands().containsKey(word)) {
        weir = weir.getSubcommands().get(word);
      } else if (word.startsWith("--")) {
        assertTrue(
            weir.getCommandSpec().optionsMap().containsKey(word.replaceFirst("=.*", "")),
            page + ": " + command + ": " + word);
      }
    }
    assertTrue(weir.getParent() != null || command.contains(" --"), page + ": " + command);
  }

  @ParameterizedTest
  @MethodSource("tools")
  void tool_isThere_andKnowsWhatItIsGiven(String page, String command) throws IOException {
    var tool = TOOL.matcher(command);
    assertTrue(tool.matches());
    Path script = Path.of(tool.group(1));
    assertTrue(Files.isExecutable(script), page + ": " + command);
    if (script.endsWith("weir")) {
      return;
    }
    String text = Files.readString(script);
    Set<String> unknown = new TreeSet<>();
    for (String word : words(tool.group(2).replaceFirst(" -- .*", ""))) {
      if (word.matches("--?[a-z][a-z-]*|[a-z-]+") && !text.contains(word)) {
        unknown.add(word);
      }
    }
    assertEquals(Set.of(), unknown, page + ": " + command);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "weir stress --slo 'a < 1' # two words | 4",
        "weir load --target 'http://a/?q={q}' --out \"$run\" | 6"
      })
  void words_areThoseOfAShell(String command, int count) {
    assertEquals(count, words(command).size(), words(command).toString());
  }

  private static CommandLine weir() {
    return new CommandLine(Main.class).setCaseInsensitiveEnumValuesAllowed(true);
  }

  /** The commands of all pages, each with its page; a command after {@code --} is one more. */
  private static Stream<Arguments> commands(Pattern where) throws IOException {
    List<Arguments> all = new ArrayList<>();
    List<Path> pages = new ArrayList<>(Pages.ofUsers());
    pages.add(Path.of("docs/CONTRIBUTING.md"));
    pages.add(Path.of("src/main/dist/README.md"));
    for (Path page : pages) {
      String text = Files.readString(page);
      for (MatchResult found : where.matcher(text).results().toList()) {
        for (String line : found.group(1).replaceAll("\\\\\n", " ").split("\n")) {
          for (String command : line.strip().replaceFirst("^\\$ ", "").split(" -- ")) {
            all.add(Arguments.of(page.toString(), command));
          }
        }
      }
    }
    return all.stream();
  }

  /** Words without quotes, up to a comment or a redirection. */
  private static List<String> words(String command) {
    List<String> words = new ArrayList<>();
    for (MatchResult word : WORD.matcher(command).results().toList()) {
      if (word.group().startsWith("#") || word.group().equals(">")) {
        break;
      }
      words.add(word.group().replaceAll("['\"]", ""));
    }
    return words;
  }

  /** What the reader has, where it must be there to plan a run. */
  private List<String> here(List<String> words) throws IOException {
    Path documents = Files.createDirectories(temp.resolve("documents"));
    Files.writeString(documents.resolve("one.txt"), "one document");
    Path archive = Files.writeString(temp.resolve("enwiki.xml.bz2"), "");
    Path queries = Files.writeString(temp.resolve("queries.txt"), "lucene AND merge\n");
    Map<String, Path> there =
        Map.of(
            "/usr/src/linux", documents,
            "/path/to/text", documents,
            "/data/enwiki.xml.bz2", archive,
            "enwiki-pages-articles.xml.bz2", archive,
            "words.txt", queries,
            "queries.txt", queries);
    return words.stream()
        .map(word -> there.containsKey(word) ? there.get(word).toString() : word)
        .toList();
  }
}
