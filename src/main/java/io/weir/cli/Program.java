package io.weir.cli;

import io.weir.option.NearestName;
import io.weir.rest.Login;
import io.weir.run.FailureWords;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.MaxValuesExceededException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * How a command line lives in a JVM: its streams, its messages, its exit codes.
 *
 * <p>Results go to standard output, progress and errors to standard error. Exit codes are {@link
 * ExitCode}'s.
 */
final class Program {

  /** Lucene tells of the vector instructions it could have; kept here or it would be forgotten. */
  private static final Logger LUCENE = Logger.getLogger("org.apache.lucene");

  private static final String BYTE_ORDER_MARK = "\uFEFF";

  private final CommandLine commandLine;

  /** Of a command and its subcommands, which get help and messages as all of Weir has them. */
  Program(CommandLine commandLine) {
    this.commandLine = commandLine;
  }

  /** Runs it and ends the JVM with its exit code. */
  void main(String[] arguments) {
    Locale.setDefault(Locale.Category.FORMAT, Locale.ROOT); // digits that a page can use
    LUCENE.setLevel(Level.SEVERE);
    int exitCode = run(arguments);
    // While a signal shuts the JVM down its own exit code stands, and exit() would wait forever.
    if (exitCode != ExitCode.INTERRUPTED) {
      System.exit(exitCode);
    }
  }

  private int run(String[] arguments) {
    StandardOutput standard = new StandardOutput();
    PrintWriter out = new PrintWriter(standard, true, Charset.defaultCharset());
    PrintWriter err = new PrintWriter(System.err, true, Charset.defaultCharset());
    int exitCode = execute(out, err, arguments);
    out.flush();
    if (standard.loss().isPresent()) {
      err.println("weir: standard output cannot be written: " + standard.loss().get());
      return exitCode == ExitCode.DONE ? ExitCode.INTERNAL : exitCode;
    }
    return exitCode;
  }

  /** Runs it in this JVM and returns its exit code. */
  int execute(PrintWriter out, PrintWriter err, String... arguments) {
    commandLine
        .setOut(out)
        .setErr(err)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setUsageHelpWidth(Terminal.columns())
        .setHelpFactory(CommandHelp.Unbroken::new)
        .setParameterExceptionHandler(
            (e, args) -> {
              err.println(
                  "weir: "
                      + lostName(args).or(() -> givenTwice(e, args)).orElseGet(() -> message(e)));
              err.println(
                  "Try '" + e.getCommandLine().getCommandSpec().qualifiedName() + " --help'.");
              return ExitCode.USAGE;
            })
        .setExecutionStrategy(parsed -> execute(parsed, arguments))
        .setExecutionExceptionHandler(
            (e, command, parsed) -> {
              sayFailure(e, err);
              return ExitCode.INTERNAL;
            });
    commandLine
        .getCommandSpec()
        .preprocessor(
            (given, command, argument, notes) -> {
              given.removeIf(BYTE_ORDER_MARK::equals);
              given.replaceAll(Program::withoutMark);
              return false;
            });
    if (arguments.length == 0) {
      commandLine.usage(err);
      return ExitCode.USAGE;
    }
    return commandLine.execute(arguments);
  }

  /** A file of arguments, {@code @FILE}, may begin with one. */
  private static String withoutMark(String argument) {
    return argument.startsWith(BYTE_ORDER_MARK) ? argument.substring(1) : argument;
  }

  /** Help needs no file. */
  private static int execute(ParseResult parsed, String[] arguments) {
    CommandHelp.obey(parsed);
    Integer helped = CommandLine.executeHelpRequest(parsed);
    if (helped != null) {
      return helped;
    }
    Optional<String> lost = lostName(arguments);
    if (lost.isPresent()) {
      List<CommandLine> commands = parsed.asCommandLineList();
      throw new ParameterException(commands.getLast(), lost.get());
    }
    return new CommandLine.RunLast().execute(parsed);
  }

  /**
   * The first name that this JVM cannot hand on to a file system or to another JVM, and the remedy.
   * The locale decides which characters names have; the others became U+FFFD.
   */
  private static Optional<String> lostName(String[] arguments) {
    String encoding = System.getProperty("sun.jnu.encoding");
    String remedy =
        encoding.equals("UTF-8") ? "rename it" : "set LC_ALL=C.UTF-8 or another UTF-8 locale";
    Stream<String> lost =
        Stream.concat(
            Arrays.stream(arguments).filter(Program::isLost).map("an argument is %s"::formatted),
            Map.of(
                    "the working directory", "user.dir",
                    "the directory of Java", "java.home",
                    "the class path", "java.class.path")
                .entrySet()
                .stream()
                .map(name -> name.getKey() + " is " + System.getProperty(name.getValue()))
                .filter(Program::isLost));
    return lost.findFirst()
        .map(
            name ->
                "names must be text in this JVM's encoding of names, %s: %s: %s"
                    .formatted(encoding, name, remedy));
  }

  private static boolean isLost(String name) {
    return name.indexOf('\uFFFD') >= 0;
  }

  private static String message(ParameterException e) {
    return oneLine(e.getMessage()) + suggestion(e);
  }

  /** The parser's own message, for an option of a group, lists the whole group. */
  private static Optional<String> givenTwice(ParameterException e, String[] arguments) {
    if (!(e instanceof MaxValuesExceededException)) {
      return Optional.empty();
    }
    Set<String> seen = new HashSet<>();
    return Arrays.stream(arguments)
        .map(argument -> argument.split("=", 2)[0])
        .filter(e.getCommandLine().getCommandSpec().optionsMap()::containsKey)
        .filter(option -> !seen.add(option))
        .findFirst()
        .map(option -> "option '" + option + "' must be given once");
  }

  /** The option or command that was meant. */
  private static String suggestion(ParameterException e) {
    if (!(e instanceof UnmatchedArgumentException unmatched)) {
      return "";
    }
    CommandSpec command = e.getCommandLine().getCommandSpec();
    List<String> known = new ArrayList<>(command.optionsMap().keySet());
    known.addAll(command.subcommands().keySet());
    return NearestName.to(unmatched.getUnmatched().getFirst(), known)
        .map(": did you mean %s?"::formatted)
        .orElse("");
  }

  /** A full disk is no bug. */
  private static void sayFailure(Exception e, PrintWriter err) {
    boolean isBug = !(e instanceof IOException);
    err.println(
        "weir: "
            + (isBug
                ? oneLine(e.toString())
                : "input or output failed: " + oneLine(FailureWords.of(e))));
    if (System.getenv("WEIR_STACKTRACE") != null) {
      e.printStackTrace(err);
    } else if (isBug) {
      err.println("This is a bug in Weir; set WEIR_STACKTRACE=1 to see the stack trace.");
    }
  }

  private static String oneLine(String message) {
    return Login.hide(String.valueOf(message).replaceAll("\\s*\\R\\s*", " "));
  }

  /**
   * Standard output, which remembers that it could not be written: a {@code PrintWriter} does not.
   */
  static final class StandardOutput extends FilterOutputStream {

    private static final String READER_IS_GONE = "Broken pipe"; // as the kernel's EPIPE is called

    private Optional<IOException> failure = Optional.empty();

    StandardOutput() {
      this(new FileOutputStream(FileDescriptor.out));
    }

    StandardOutput(OutputStream out) {
      super(out);
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      try {
        out.write(bytes, offset, length);
      } catch (IOException e) {
        failure = Optional.of(e);
        throw e;
      }
    }

    /**
     * Why it is not complete; empty if it is, or if its reader, such as {@code head}, has enough.
     */
    Optional<String> loss() {
      return failure
          .map(e -> String.valueOf(e.getMessage()))
          .filter(reason -> !reason.contains(READER_IS_GONE));
    }
  }
}
