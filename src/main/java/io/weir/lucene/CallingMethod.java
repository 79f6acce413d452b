package io.weir.lucene;

import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Recognizes the purpose of Lucene's request for a file, a clone or a sync by the name of the
 * calling method.
 *
 * <p><b>Threads:</b> any; the answer concerns the calling thread. <b>Cost:</b> some microseconds a
 * call. <b>Failure: </b> if Lucene renames the methods, the answer is no.
 */
public final class CallingMethod {

  private static final String VERIFIES = "checksumEntireFile";
  private static final String VERIFIES_ALL = "checkIntegrity";
  private static final String READER = "org.apache.lucene.index.CodecReader";
  private static final String CLONES = "clone";
  private static final String COPIES = "copyFrom";
  private static final String CREATES = "createOutput";
  private static final String SYNCS_THE_FOLDER = "syncMetaData";
  private static final String PREPARES = "prepareCommit";
  private static final String CLOSES = "close";
  private static final String WRITER = "org.apache.lucene.index.IndexWriter";
  private static final String COMMIT = "org.apache.lucene.index.SegmentInfos";
  private static final StackWalker STACK = StackWalker.getInstance();

  private CallingMethod() {}

  /**
   * Whether the clone in progress will verify a whole file, that is, read it once from end to end.
   * Call it from {@code clone} itself.
   *
   * <p>Source: Lucene 10.5.1, {@code CodecUtil.checksumEntireFile}, which clones its argument.
   */
  public static boolean verifiesAFile() {
    return isTrue(
        frames -> frames.dropWhile(named(CLONES)).findFirst().filter(named(VERIFIES)).isPresent());
  }

  /**
   * Whether the call in progress is part of the verification of a whole segment.
   *
   * <p>Source: Lucene 10.5.1, {@code CodecReader.checkIntegrity}. Applications call it, merges do
   * not: each format of a merge verifies its own part of the input.
   */
  public static boolean verifiesASegment() {
    return isTrue(
        frames ->
            frames.anyMatch(named(VERIFIES_ALL).and(frame -> frame.getClassName().equals(READER))));
  }

  /**
   * Whether the output being created is for the copy of a whole file. Directories that delegate the
   * creation may be in between.
   *
   * <p>Source: Lucene 10.5.1, {@code Directory.copyFrom}, whose default implementation creates the
   * output itself and so hides the copy from the directories below.
   */
  public static boolean copiesAFile() {
    return isTrue(
        frames ->
            frames
                .dropWhile(named(CREATES).negate())
                .dropWhile(named(CREATES))
                .findFirst()
                .filter(named(COPIES))
                .isPresent());
  }

  /**
   * Whether the sync of the folder in progress begins a commit. Directories that delegate it may be
   * in between.
   *
   * <p>Source: Lucene 10.5.1, {@code SegmentInfos.prepareCommit}, which then writes a file that no
   * reader opens before {@code finishCommit} renames it.
   */
  public static boolean beginsACommit() {
    return isTrue(
        frames ->
            frames
                .dropWhile(named(SYNCS_THE_FOLDER))
                .findFirst()
                .filter(named(PREPARES).and(frame -> frame.getClassName().equals(COMMIT)))
                .isPresent());
  }

  /**
   * Whether the call in progress is part of closing something, within the nearest work of an {@code
   * IndexWriter}. What is closed may be that of a merge that has failed.
   *
   * <p>Source: Lucene 10.5.1, {@code IndexWriter.mergeMiddle}, on whose thread a merge writes.
   */
  public static boolean closes() {
    return isTrue(
        frames ->
            frames
                .takeWhile(frame -> !frame.getClassName().equals(WRITER))
                .anyMatch(named(CLOSES)));
  }

  private static boolean isTrue(Predicate<Stream<StackWalker.StackFrame>> question) {
    // Skip the two frames of this class, to start at the caller.
    return STACK.walk(frames -> question.test(frames.skip(2)));
  }

  private static Predicate<StackWalker.StackFrame> named(String method) {
    return frame -> frame.getMethodName().equals(method);
  }
}
