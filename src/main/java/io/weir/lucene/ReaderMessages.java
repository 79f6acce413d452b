package io.weir.lucene;

import java.util.Optional;

/**
 * Recognizes the steps of {@code IndexWriter.getReader} from its info-stream messages.
 *
 * <p>Source: Lucene 10.5.1, {@code IndexWriter} (component {@code IW}) and {@code
 * BufferedUpdatesStream} (component {@code BD}).
 */
public final class ReaderMessages {

  /** A step of {@code getReader}. */
  public enum Step {
    /** It has begun to flush. */
    FLUSH_BEGINS,
    /** It publishes a flushed segment. */
    SEGMENT_PUBLISHED,
    /** It applies deletes and updates. */
    DELETES_BEGIN,
    /** Deletes and updates have been applied; readers of segments are opened next. */
    DELETES_END,
    /** It has a reader, and may wait for merges. */
    READER_MADE,
    /** It returns. */
    RETURNS
  }

  private static final String WRITER = "IW";
  private static final String UPDATES = "BD";

  private ReaderMessages() {}

  /** Whether a component logs steps of {@code getReader}. */
  public static boolean isOf(String component) {
    return component.equals(WRITER) || component.equals(UPDATES);
  }

  /** The step that a message reports; empty for all other messages. */
  public static Optional<Step> step(String component, String message) {
    return Optional.ofNullable(
        switch (component) {
          case WRITER -> ofWriter(message);
          case UPDATES -> ofUpdates(message);
          default -> null;
        });
  }

  private static Step ofWriter(String message) {
    if (message.startsWith("flush at getReader")) {
      return Step.FLUSH_BEGINS;
    } else if (message.startsWith("publishFlushedSegment")) {
      return Step.SEGMENT_PUBLISHED;
    } else if (message.startsWith("now apply all deletes")) {
      return Step.DELETES_BEGIN;
    } else if (message.startsWith("return reader version=")) {
      return Step.READER_MADE;
    }
    return message.startsWith("getReader took ") ? Step.RETURNS : null;
  }

  private static Step ofUpdates(String message) {
    if (message.startsWith("push new packet") || message.contains("now apply del packet")) {
      return Step.DELETES_BEGIN;
    }
    boolean applied =
        message.contains("done inner apply del packet")
            || message.startsWith("waitApply: done")
            || message.startsWith("waitApply: no deletes");
    return applied ? Step.DELETES_END : null;
  }
}
