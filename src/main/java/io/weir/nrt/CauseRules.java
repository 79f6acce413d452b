package io.weir.nrt;

import io.weir.lucene.StackFrames;
import java.util.List;
import java.util.Objects;

/**
 * Finds the cause that a stack shows: the first rule that matches, from the most specific to the
 * least. The work of an application or a merge on this thread comes before the calls that it makes.
 * Kernel calls come before the part of Lucene that makes them, and that comes before computing.
 *
 * <p>The names are those of JDK 21 to 25; Lucene's come from {@link StackFrames}. If a name
 * changes, a stack counts as {@link ReopenCause#UNKNOWN} or {@link ReopenCause#CPU}; tests on real
 * stacks detect it.
 *
 * <p>A stack may be one of this JVM, or of another that was asked for it.
 *
 * <p><b>Threads:</b> any; there is no state.
 */
public final class CauseRules {

  /**
   * A rule that recognizes a cause.
   *
   * @param frame part of {@code class.method} of a frame
   * @param under part of an outer frame that is required too; empty for none
   * @param reason why the frame indicates the cause, and the source of that knowledge
   */
  record Rule(ReopenCause cause, String frame, String under, String reason) {}

  private static final String ANY = "";

  /** Innermost frames of a waiting thread. */
  private static final List<String> WAITING =
      List.of("java.lang.Object.wait", "jdk.internal.misc.Unsafe.park");

  /** Classes whose native methods only compute, unless a rule names them. */
  private static final List<String> COMPUTING =
      List.of("java.lang.", "java.util.zip.", "jdk.internal.misc.Unsafe");

  static final List<Rule> BEFORE_WAITING =
      List.of(
          new Rule(
              ReopenCause.MERGE_STALL,
              StackFrames.MAYBE_STALL,
              ANY,
              "ConcurrentMergeScheduler.maybeStall waits while too many merges are pending"),
          new Rule(
              ReopenCause.MERGE_WAIT,
              StackFrames.AWAIT_MERGES,
              ANY,
              "IndexWriter.getReader waits here for up to setMaxFullFlushMergeWaitMillis"),
          new Rule(
              ReopenCause.MERGE,
              StackFrames.MERGE,
              ANY,
              "SerialMergeScheduler.merge calls IndexWriter.merge on the reopening thread"),
          new Rule(
              ReopenCause.WARM,
              StackFrames.GET_SEARCHER,
              ANY,
              "it only calls SearcherFactory.newSearcher"),
          new Rule(
              ReopenCause.UNMAP,
              "ScopedMemoryAccess.closeScope",
              ANY,
              "closing a shared arena is a handshake with every thread (lucene#13325); a thread in a"
                  + " page fault answers after its disk read (measured: 405 ms, 49 ms without)"),
          new Rule(
              ReopenCause.UNMAP,
              "foreign.MemorySessionImpl.close",
              ANY,
              "the rest of closing an arena: its files are unmapped here"),
          new Rule(
              ReopenCause.LISTENERS,
              StackFrames.NOTIFY_LISTENERS,
              ANY,
              "ReferenceManager.doMaybeRefresh calls listeners under its lock"),
          new Rule(
              ReopenCause.FILE_MAP,
              "ch.FileChannelImpl.map",
              ANY,
              "mmap takes the kernel's address-space lock, which a merge's page faults hold"),
          new Rule(
              ReopenCause.FILE_SYNC,
              "ch.FileChannelImpl.force",
              ANY,
              "FSDirectory.sync; a reopen needs none, but an application's directory might"),
          new Rule(
              ReopenCause.FILE_WRITE,
              StackFrames.FILE_OUTPUT_WRITE,
              ANY,
              "FSIndexOutput writes only here, 8 KiB at a time; the dirty-page limit can block it"),
          new Rule(
              ReopenCause.FILE_WRITE,
              "FileDispatcherImpl.write",
              ANY,
              "write of the JDK's file channels"),
          new Rule(
              ReopenCause.FILE_WRITE,
              "FileDispatcherImpl.pwrite",
              ANY,
              "pwrite of the JDK's file channels, as DirectIODirectory uses it"),
          new Rule(
              ReopenCause.FILE_WRITE,
              "java.io.FileOutputStream.write",
              ANY,
              "a directory that writes through streams"),
          new Rule(
              ReopenCause.FILE_DELETE,
              "java.nio.file.Files.delete",
              ANY,
              "FSDirectory deletes here; a large file's pages are freed before it returns"),
          new Rule(
              ReopenCause.FILE_OPEN,
              "java.nio.file.Files.new",
              ANY,
              "FSIndexOutput creates its file with Files.newOutputStream"),
          new Rule(
              ReopenCause.FILE_OPEN,
              "java.nio.channels.FileChannel.open",
              ANY,
              "MMapDirectory and NIOFSDirectory open files here"),
          new Rule(
              ReopenCause.FILE_OPEN,
              "nio.fs.UnixNativeDispatcher.",
              ANY,
              "the other calls that take a name: open, stat, readdir"),
          new Rule(
              ReopenCause.FILE_OPEN,
              "FileDispatcherImpl.size",
              ANY,
              "called when a file is mapped or read through a channel"),
          new Rule(
              ReopenCause.FILE_OPEN,
              "java.io.FileDescriptor.close",
              ANY,
              "closes the descriptors of all channels"),
          new Rule(
              ReopenCause.CLASS_LOAD,
              "ClassLoader.",
              ANY,
              "a class is read from its jar, through the page cache"),
          new Rule(
              ReopenCause.CLASS_LOAD,
              "java.lang.invoke.MethodHandleNatives.link",
              ANY,
              "a lambda or a string concatenation is linked on first use"),
          new Rule(
              ReopenCause.THREAD_START,
              "java.lang.Thread.start",
              ANY,
              "ConcurrentMergeScheduler.merge; mapping a stack takes the lock that page faults hold"));

  /** Rules that apply if the thread does not wait, before computing. */
  static final List<Rule> AFTER_WAITING =
      List.of(
          new Rule(
              ReopenCause.DELETES_TERMS,
              StackFrames.TERMS_ENUM,
              StackFrames.FROZEN_UPDATES,
              "applyTermDeletes looks each term up: page faults in the terms dictionary"),
          new Rule(
              ReopenCause.DELETES,
              StackFrames.FROZEN_UPDATES,
              ANY,
              "the rest of applying deletes: postings, live documents, doc values"),
          new Rule(
              ReopenCause.SEGMENT_OPEN,
              StackFrames.NEW_SEGMENT_READER,
              ANY,
              "reads header and footer of each file: two seeks each where nothing is cached"),
          new Rule(
              ReopenCause.SEGMENT_OPEN,
              StackFrames.NEW_SEGMENT_CORE_READERS,
              ANY,
              "the same, for the files that readers of a segment share"),
          new Rule(
              ReopenCause.FILE_READ,
              "FileDispatcherImpl.read",
              ANY,
              "read of the JDK's file channels"),
          new Rule(
              ReopenCause.FILE_READ,
              "FileDispatcherImpl.pread",
              ANY,
              "pread of the JDK's file channels, as NIOFSDirectory uses it"));

  private CauseRules() {}

  /**
   * The number of frames, from the innermost, that belong to the refresh; 0 if there is no refresh.
   */
  static int depthOfRefresh(StackTraceElement[] stack) {
    for (int depth = stack.length; depth > 0; depth--) {
      String name = name(stack[depth - 1]);
      if (StackFrames.isRefresh(name)) {
        return depth;
      }
    }
    return 0;
  }

  /**
   * The frames of a stack, innermost first, that belong to its outermost refresh; none if there is
   * no refresh.
   */
  public static List<StackTraceElement> refresh(List<StackTraceElement> stack) {
    Objects.requireNonNull(stack, "stack");
    return stack.subList(0, depthOfRefresh(stack.toArray(StackTraceElement[]::new)));
  }

  /**
   * Whether a thread waits for the lock of another thread's refresh. The library knows that wait
   * from {@link ReopenPhase#LOCK_WAIT}; from outside only the stack shows it.
   *
   * @param frames those of the refresh only, innermost first
   */
  public static boolean awaitsRefresh(List<StackTraceElement> frames) {
    Objects.requireNonNull(frames, "frames");
    List<String> names = frames.stream().map(CauseRules::name).toList();
    return isWaiting(names)
        && names.stream()
            .filter(name -> !isOfTheJdk(name))
            .findFirst()
            .filter(name -> name.equals(StackFrames.AWAIT_REFRESH))
            .isPresent();
  }

  /**
   * The cause of a stack.
   *
   * @param frames those of the refresh only, innermost first
   * @param blocked whether the thread waits to enter a monitor, which the frames do not show
   */
  public static ReopenCause of(List<StackTraceElement> frames, boolean blocked) {
    Objects.requireNonNull(frames, "frames");
    List<String> names = frames.stream().map(CauseRules::name).toList();
    ReopenCause cause = first(BEFORE_WAITING, names);
    if (cause != null) {
      return cause;
    }
    if (blocked || isWaiting(names)) {
      return ReopenCause.LOCK;
    }
    cause = first(AFTER_WAITING, names);
    if (cause != null) {
      return cause;
    }
    return isLucenesCode(frames) ? ReopenCause.CPU : ReopenCause.UNKNOWN;
  }

  private static ReopenCause first(List<Rule> rules, List<String> names) {
    for (Rule rule : rules) {
      int at = indexOf(rule.frame(), names, 0);
      if (at >= 0 && (rule.under().isEmpty() || indexOf(rule.under(), names, at) >= 0)) {
        return rule.cause();
      }
    }
    return null;
  }

  private static int indexOf(String part, List<String> names, int from) {
    for (int i = from; i < names.size(); i++) {
      if (names.get(i).contains(part)) {
        return i;
      }
    }
    return -1;
  }

  private static boolean isWaiting(List<String> names) {
    return !names.isEmpty() && WAITING.stream().anyMatch(names.get(0)::startsWith);
  }

  /**
   * Whether no kernel call is in progress and the JDK was called by Lucene, or by Weir to time
   * phases.
   */
  private static boolean isLucenesCode(List<StackTraceElement> frames) {
    if (frames.isEmpty() || frames.get(0).isNativeMethod() && !computes(frames.get(0))) {
      return false;
    }
    for (StackTraceElement frame : frames) {
      String name = frame.getClassName();
      if (!isOfTheJdk(name)) {
        return StackFrames.isLucenes(name) || name.startsWith("io.weir.");
      }
    }
    return false;
  }

  private static boolean isOfTheJdk(String name) {
    return name.startsWith("java.") || name.startsWith("jdk.") || name.startsWith("sun.");
  }

  /** Native methods that only compute: {@code Object.getClass}, {@code System.arraycopy}. */
  private static boolean computes(StackTraceElement frame) {
    return COMPUTING.stream().anyMatch(frame.getClassName()::startsWith);
  }

  private static String name(StackTraceElement frame) {
    return frame.getClassName() + "." + frame.getMethodName();
  }
}
