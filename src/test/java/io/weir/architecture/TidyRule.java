package io.weir.architecture;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The habits of the house that a machine can check: what is banned, what to use instead. */
enum TidyRule {
  CLOCK(
      "System.nanoTime, LockSupport and sleeping outside io.weir.time",
      "io.weir.time.NanoClock, which tests move by hand",
      file -> file.isMainJava() && !file.isInMain("io/weir/time"),
      SourceFile::code,
      "System\\s*(\\.|::)\\s*nanoTime|LockSupport|Thread\\s*(\\.|::)\\s*sleep"
          + "|TimeUnit\\s*\\.\\s*\\w+\\s*\\.\\s*sleep"),
  THREAD(
      "a thread of the library that inherits from whoever comes first: a new Thread or a Timer, an"
          + " executor without DaemonThreads, a method that uses the JDK's own threads",
      "io.weir.time.DaemonThreads, which inherit nothing",
      file -> file.isInLibrary() && !file.isInMain("io/weir/time"),
      SourceFile::code,
      "\\bnew\\s+(Thread|Timer|ForkJoinPool)\\s*\\(|\\bThread::new\\b|\\bclass\\s+\\w+\\s+extends\\s+Thread\\b"
          + "|\\bThread\\s*(\\.|::)\\s*(of(Platform|Virtual)|startVirtualThread)"
          + "|\\bExecutors\\s*\\.\\s*\\w+\\s*\\((?![^;]*DaemonThreads)"
          + "|\\bnew\\s+(Scheduled)?ThreadPoolExecutor\\s*\\((?![^;]*DaemonThreads)"
          + "|\\b[a-z]\\w*Async\\s*\\(|\\b(delayedExecutor|orTimeout|completeOnTimeout|commonPool"
          + "|parallelStream)\\s*\\(|\\.\\s*parallel\\s*\\(|\\bCleaner\\s*\\.\\s*create"),
  THREAD_LOCAL(
      "a thread local of the library, which keeps its classes as long as a thread lives",
      "a parameter, a pool or a map of the object that the value belongs to",
      file ->
          file.isInLibrary() && !file.path().endsWith("/io/weir/store/reads/MergeReadPacing.java"),
      SourceFile::code,
      "ThreadLocal\\b(?!s)"),
  SLEEP_IN_TEST(
      "sleeping in a test",
      "a manual clock, a latch, or a condition that is waited for",
      SourceFile::isTestJava,
      SourceFile::code,
      "Thread\\s*(\\.|::)\\s*sleep|TimeUnit\\s*\\.\\s*\\w+\\s*\\.\\s*sleep"),
  PRINT(
      "System.out, System.err and printStackTrace outside io.weir.cli and the agent's log",
      "a result record, a return value or an exception; the command line prints",
      file ->
          file.isMainJava()
              && !file.isInMain("io/weir/cli")
              && !file.path().endsWith("/io/weir/agent/AgentLog.java")
              && !file.path().endsWith("/io/weir/jvm/Worker.java"),
      SourceFile::code,
      "System\\s*\\.\\s*(out|err)\\b|\\.printStackTrace\\(\\s*\\)"),
  PRINT_IN_TEST(
      "printing in a test",
      "an assertion with a message",
      SourceFile::isTestJava,
      SourceFile::code,
      "System\\s*\\.\\s*(out|err)\\s*(\\.|::)\\s*print"),
  DISABLED_TEST(
      "a test that is switched off",
      "a test that runs; a condition such as EnabledOnOs where the platform decides",
      SourceFile::isTestJava,
      SourceFile::code,
      "@(org\\.junit\\.jupiter\\.api\\.)?Disabled\\b|@(org\\.junit\\.)?Ignore\\b"),
  LEFTOVER(
      "a note of work left undone",
      "the work, or a line in the report of it",
      file -> isOurs(file) && !isCapture(file),
      SourceFile::text,
      "\\b(TO[D]O|FIX[M]E|X{3})\\b"),
  VAGUE_NAME(
      "utils, helper or misc in the name of a package or class",
      "a name that says what it is",
      SourceFile::isJava,
      SourceFile::path,
      "(?i)(?<=/)(utils?|helpers?|misc)(?=/)|(utils?|helpers?|misc)(?=\\.java$)"),
  REGISTRY(
      "the host of a package registry",
      "the tool's own default, which needs no host",
      TidyRule::isOurs,
      SourceFile::text,
      "(?i)\\b(maven\\.org|mvnrepository\\.com|sonatype\\.(org|com)|npmjs\\.(org|com)|pypi\\.org"
          + "|pythonhosted\\.org|debian\\.(org|net)|ubuntu\\.com|crates\\.io|rubygems\\.org)\\b"),
  DEVELOPER_PATH(
      "an absolute path of one developer's machine",
      "a path from the repository's root, or a temporary directory",
      TidyRule::isOurs,
      SourceFile::text,
      "(?<![\\w.)}>*-])/(work|root|home)/"),
  BLANKS(
      "a tab, or blanks at the end of a line",
      "two spaces, and nothing",
      file -> isOurs(file) && !isCapture(file),
      SourceFile::text,
      "\\t|[ \\r]+(?=\\n|$)"),
  LONG_CLASS(
      "a source file of more than 500 lines",
      "two classes, each with one thing to do",
      SourceFile::isMainJava,
      SourceFile::text,
      "\\A(?:[^\\n]*\\n){500}(?=[^\\n])"),
  SHORT_PACKAGE_TOUR(
      "a package-info of less than two sentences",
      "what the package is, and where to start reading",
      file -> file.isMainJava() && file.path().endsWith("/package-info.java"),
      SourceFile::text,
      "\\A(?!(?s:.*?[.!?](?=\\s).*?[.!?](?=\\s).*?\\*/))");

  private final String banned;
  private final String instead;
  private final Predicate<SourceFile> scope;
  private final Function<SourceFile, String> view;
  private final Pattern pattern;

  TidyRule(
      String banned,
      String instead,
      Predicate<SourceFile> scope,
      Function<SourceFile, String> view,
      String pattern) {
    this.banned = banned;
    this.instead = instead;
    this.scope = scope;
    this.view = view;
    this.pattern = Pattern.compile(pattern);
  }

  /** One message for each breach in the file. */
  List<String> breaches(SourceFile file) {
    List<String> breaches = new ArrayList<>();
    if (scope.test(file)) {
      String text = view.apply(file);
      Matcher matcher = pattern.matcher(text);
      while (matcher.find()) {
        long line = text.substring(0, matcher.start()).lines().count();
        boolean startsLine = matcher.start() == 0 || text.charAt(matcher.start() - 1) == '\n';
        breaches.add(file.path() + ":" + (startsLine ? line + 1 : line) + ": " + message());
      }
    }
    return breaches;
  }

  String message() {
    return "banned: " + banned + " -> use instead: " + instead;
  }

  /** Not a minified library that is shipped as its makers wrote it. */
  private static boolean isOurs(SourceFile file) {
    return !file.path().contains(".min.");
  }

  /** Files that stand for someone else's output: kernels, corpora. */
  private static boolean isCapture(SourceFile file) {
    return file.path().startsWith("src/test/resources/");
  }
}
