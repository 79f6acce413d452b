package io.weir.nrt;

import io.weir.lucene.StackFrames;
import java.util.List;

/**
 * Names the cause that a stack shows: the first rule that fits, from the most telling to the least.
 * What an application or a merge does on this thread comes before what it does it with; calls of
 * the kernel come before the part of Lucene that makes them, which comes before computing.
 *
 * <p>Names are those of the JDK from 21 to 25, and Lucene's from {@link StackFrames}. Where they
 * change, a stack becomes {@link ReopenCause#UNKNOWN} or {@link ReopenCause#CPU}; tests on real
 * stacks show it.
 */
final class CauseRules {

  /**
   * One way to tell a cause.
   *
   * @param frame part of {@code class.method} of a frame
   * @param under part of a frame further out, which must be there too; empty for none
   * @param reason why that frame means that cause, and where this is known from
   */
  record Rule(ReopenCause cause, String frame, String under, String reason) {}

  private static final String ANY = "";

  /** Frames that stand for a thread that waits. */
  private static final List<String> WAITING =
      List.of("java.lang.Object.wait", "jdk.internal.misc.Unsafe.park");

  /** Whose native methods, as far as they are not above or below, only compute. */
  private static final List<String> COMPUTING =
      List.of("java.lang.", "java.util.zip.", "jdk.internal.misc.Unsafe");

  static final List<Rule> BEFORE_WAITING =
      List.of(
          new Rule(
              ReopenCause.MERGE_STALL,
              StackFrames.MAYBE_STALL,
              ANY,
              "ConcurrentMergeScheduler.maybeStall waits while more merges than allowed are left"),
          new Rule(
              ReopenCause.MERGE_WAIT,
              StackFrames.AWAIT_MERGES,
              ANY,
              "IndexWriter.getReader waits so for setMaxFullFlushMergeWaitMillis"),
          new Rule(
              ReopenCause.MERGE,
              StackFrames.MERGE,
              ANY,
              "SerialMergeScheduler.merge calls IndexWriter.merge on the thread that reopens"),
          new Rule(
              ReopenCause.WARM,
              StackFrames.GET_SEARCHER,
              ANY,
              "it does nothing but to call SearcherFactory.newSearcher"),
          new Rule(
              ReopenCause.UNMAP,
              "ScopedMemoryAccess.closeScope",
              ANY,
              "closing a shared arena is a handshake with every thread (lucene#13325); one in a page"
                  + " fault answers when its disk read returns (measured: 405 ms to 49 ms without)"),
          new Rule(
              ReopenCause.UNMAP,
              "foreign.MemorySessionImpl.close",
              ANY,
              "the rest of closing an arena: its mappings are undone here"),
          new Rule(
              ReopenCause.LISTENERS,
              StackFrames.NOTIFY_LISTENERS,
              ANY,
              "ReferenceManager.doMaybeRefresh calls listeners under its lock"),
          new Rule(
              ReopenCause.FILE_MAP,
              "ch.FileChannelImpl.map",
              ANY,
              "mmap takes the kernel's lock of the address space, which a merge's page faults hold"),
          new Rule(
              ReopenCause.FILE_SYNC,
              "ch.FileChannelImpl.force",
              ANY,
              "FSDirectory.sync; a reopen needs none, a directory of the application might"),
          new Rule(
              ReopenCause.FILE_WRITE,
              StackFrames.FILE_OUTPUT_WRITE,
              ANY,
              "the only way of FSIndexOutput to its file: 8 KiB that a dirty-page limit can stop"),
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
              "a directory that writes by streams"),
          new Rule(
              ReopenCause.FILE_DELETE,
              "java.nio.file.Files.delete",
              ANY,
              "FSDirectory deletes so; a large file's pages are freed before it returns"),
          new Rule(
              ReopenCause.FILE_OPEN,
              "java.nio.file.Files.new",
              ANY,
              "FSIndexOutput creates its file by Files.newOutputStream"),
          new Rule(
              ReopenCause.FILE_OPEN,
              "java.nio.channels.FileChannel.open",
              ANY,
              "MMapDirectory and NIOFSDirectory open files so"),
          new Rule(
              ReopenCause.FILE_OPEN,
              "nio.fs.UnixNativeDispatcher.",
              ANY,
              "what is left of calls by name: open, stat, readdir"),
          new Rule(
              ReopenCause.FILE_OPEN,
              "FileDispatcherImpl.size",
              ANY,
              "asked for when a file is mapped or read by channel"),
          new Rule(
              ReopenCause.FILE_OPEN,
              "java.io.FileDescriptor.close",
              ANY,
              "the descriptors of all channels are closed by this"),
          new Rule(
              ReopenCause.CLASS_LOAD,
              "ClassLoader.",
              ANY,
              "a class is read from its jar, by way of the page cache"),
          new Rule(
              ReopenCause.CLASS_LOAD,
              "java.lang.invoke.MethodHandleNatives.link",
              ANY,
              "a lambda or a string is put together the first time"),
          new Rule(
              ReopenCause.THREAD_START,
              "java.lang.Thread.start",
              ANY,
              "ConcurrentMergeScheduler.merge; mapping a stack takes the lock that page faults hold"));

  /** Above computing, and below all waiting. */
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
              "what applying deletes does besides: postings, live documents, doc values"),
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
   * How many frames, counted from the innermost, belong to the refresh; 0 if the thread is in none.
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
   * The cause of a stack.
   *
   * @param frames of the refresh only, the innermost first
   * @param blocked whether the thread waits to enter a monitor, which no frame shows
   */
  static ReopenCause of(List<StackTraceElement> frames, boolean blocked) {
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
   * No call of the kernel is under way, and whoever called the JDK is Lucene, or Weir for its
   * phases.
   */
  private static boolean isLucenesCode(List<StackTraceElement> frames) {
    if (frames.isEmpty() || frames.get(0).isNativeMethod() && !computes(frames.get(0))) {
      return false;
    }
    for (StackTraceElement frame : frames) {
      String name = frame.getClassName();
      if (!name.startsWith("java.") && !name.startsWith("jdk.") && !name.startsWith("sun.")) {
        return StackFrames.isLucenes(name) || name.startsWith("io.weir.");
      }
    }
    return false;
  }

  /** Native methods that only compute: {@code Object.getClass}, {@code System.arraycopy}. */
  private static boolean computes(StackTraceElement frame) {
    return COMPUTING.stream().anyMatch(frame.getClassName()::startsWith);
  }

  private static String name(StackTraceElement frame) {
    return frame.getClassName() + "." + frame.getMethodName();
  }
}
