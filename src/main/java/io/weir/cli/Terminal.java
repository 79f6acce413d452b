package io.weir.cli;

/** Which outputs a person looks at; {@code tools/weir} asks the shell, because Java cannot tell. */
final class Terminal {

  private Terminal() {}

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
