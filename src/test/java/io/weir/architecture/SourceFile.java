package io.weir.architecture;

import java.util.stream.Stream;

/**
 * A text file of the repository.
 *
 * @param path from the repository's root, with {@code /} between names
 */
record SourceFile(String path, String text) {

  boolean isJava() {
    return path.endsWith(".java");
  }

  boolean isMainJava() {
    return isJava() && path.startsWith("src/main/java/");
  }

  boolean isTestJava() {
    return isJava() && path.startsWith("src/test/java/");
  }

  /** Whether it runs in the process of an application or an engine. */
  boolean isInLibrary() {
    return isMainJava()
        && Stream.of(
                "stress",
                "load",
                "cli",
                "indexing",
                "history",
                "report",
                "corpus",
                "figure",
                "run",
                "jvm",
                "rest",
                "why")
            .noneMatch(command -> isInMain("io/weir/" + command));
  }

  /** Whether it lies in a main package, such as {@code io/weir/time}. */
  boolean isInMain(String packagePath) {
    return path.startsWith("src/main/java/" + packagePath + "/");
  }

  /** The text with comments and the insides of literals blanked, line by line as before. */
  String code() {
    StringBuilder code = new StringBuilder(text.length());
    String end = null;
    for (int i = 0; i < text.length(); ) {
      if (end == null) {
        String start = startOfNoCode(i);
        end = start == null ? null : endOf(start);
        int length = start == null ? 1 : start.length();
        code.append(start == null ? text.substring(i, i + 1) : " ".repeat(length));
        i += length;
      } else if (text.startsWith(end, i)) {
        code.append(end.equals("\n") ? "\n" : " ".repeat(end.length()));
        i += end.length();
        end = null;
      } else {
        boolean escaped = text.charAt(i) == '\\' && end.matches("[\"']+") && i + 1 < text.length();
        int length = escaped ? 2 : 1;
        for (int k = 0; k < length; k++) {
          code.append(text.charAt(i + k) == '\n' ? '\n' : ' ');
        }
        i += length;
      }
    }
    return code.toString();
  }

  private String startOfNoCode(int index) {
    for (String start : new String[] {"//", "/*", "\"\"\"", "\"", "'"}) {
      if (text.startsWith(start, index)) {
        return start;
      }
    }
    return null;
  }

  private static String endOf(String start) {
    return switch (start) {
      case "//" -> "\n";
      case "/*" -> "*/";
      default -> start;
    };
  }
}
