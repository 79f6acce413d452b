package io.weir.stress;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What docs/internals/RUN-DIRECTORY.md promises. */
public final class RunDirectoryPage {

  private static final Pattern NAME = Pattern.compile("`([a-z_]+)`");

  private RunDirectoryPage() {}

  /** The columns in the table of the section {@code file}, in their order. */
  public static List<String> columns(String file) throws IOException {
    String page = Files.readString(Path.of("docs", "internals", "RUN-DIRECTORY.md"));
    String section = page.substring(page.indexOf("\n## " + file)).split("\n## ")[1];
    List<String> columns = new ArrayList<>();
    for (String line : section.lines().filter(line -> line.startsWith("| `")).toList()) {
      Matcher names = NAME.matcher(line.split("\\|")[1]);
      while (names.find()) {
        columns.add(names.group(1));
      }
    }
    return columns;
  }
}
