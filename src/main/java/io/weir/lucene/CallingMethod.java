package io.weir.lucene;

import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What the method of Lucene's that asks for a file or a clone is about, told by its name.
 *
 * <p><b>Threads:</b> any; each is told of itself. <b>Cost:</b> some microseconds a call.
 * <b>Failure: </b> a Lucene that names its methods otherwise gets the answer no.
 */
public final class CallingMethod {

  private static final String VERIFIES = "checksumEntireFile";
  private static final String CLONES = "clone";
  private static final String COPIES = "copyFrom";
  private static final String CREATES = "createOutput";
  private static final StackWalker STACK = StackWalker.getInstance();

  private CallingMethod() {}

  /**
   * Whether the clone that is being made is to verify a whole file: it is read once, from end to
   * end. To be asked in {@code clone} itself.
   *
   * <p>Source: Lucene 10.5.1, {@code CodecUtil.checksumEntireFile}, which clones its argument.
   */
  public static boolean verifiesAFile() {
    return isTrue(
        frames -> frames.dropWhile(named(CLONES)).findFirst().filter(named(VERIFIES)).isPresent());
  }

  /**
   * Whether the output that is being created is for the copy of a whole file. Directories that hand
   * on the creation may lie in between.
   *
   * <p>Source: Lucene 10.5.1, {@code Directory.copyFrom}, whose default creates the output itself
   * and so hides the copy from the directories below.
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

  private static boolean isTrue(Predicate<Stream<StackWalker.StackFrame>> question) {
    // Past the two frames of this class: from the method that asked here.
    return STACK.walk(frames -> question.test(frames.skip(2)));
  }

  private static Predicate<StackWalker.StackFrame> named(String method) {
    return frame -> frame.getMethodName().equals(method);
  }
}
