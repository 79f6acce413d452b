package io.weir.cli;

/** Which outputs a person looks at; {@code tools/weir} asks the shell, because Java cannot tell. */
final class Terminal {

  private static final int COLUMNS = 100;
  private static final int LEAST_COLUMNS = 60;
  private static final int MOST_COLUMNS = 120;

  private Terminal() {}

  /** How wide a text for people may be: as the terminal, but no line gets too long to read. */
  static int columns() {
    int columns = Integer.getInteger("weir.terminal.columns", 0);
    return columns <= 0 ? COLUMNS : Math.clamp(columns, LEAST_COLUMNS, MOST_COLUMNS);
  }

  /** Whether standard error is a terminal, on which a line may be drawn over. */
  static boolean onStandardError() {
    return Boolean.getBoolean("weir.terminal.err");
  }

  /** Whether standard output is a terminal and the user has not asked for no colour. */
  static boolean wantsColour() {
    String noColour = System.getenv("NO_COLOR"); // any value but an empty one, see no-color.org
    return Boolean.getBoolean("weir.terminal.out") && (noColour == null || noColour.isEmpty());
  }
}
