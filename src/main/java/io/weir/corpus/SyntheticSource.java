package io.weir.corpus;

import java.util.OptionalLong;

/** A number of documents by {@link SyntheticText}. */
record SyntheticSource(long count, long seed) implements DocumentSource {

  static final String NAME = "synthetic";

  /** The number of documents unless the specification gives one. */
  static final long DEFAULT_COUNT = 150_000;

  /** What one Lucene index can hold. */
  static final long MAX_COUNT = 2_147_483_519;

  /** The number of documents sampled to estimate the total length. */
  private static final int SAMPLE = 4000;

  SyntheticSource {
    if (count < 1 || count > MAX_COUNT) {
      throw new IllegalArgumentException(
          "COUNT in synthetic:COUNT must be from 1 to " + MAX_COUNT + " documents: " + count);
    }
  }

  static SyntheticSource parse(String spec, long seed) {
    if (spec.equals(NAME)) {
      return new SyntheticSource(DEFAULT_COUNT, seed);
    }
    String count = spec.substring(NAME.length() + 1);
    try {
      return new SyntheticSource(Long.parseLong(count), seed);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "COUNT in synthetic:COUNT must be from 1 to " + MAX_COUNT + " documents: '" + count + "'",
          e);
    }
  }

  @Override
  public DocumentReader open(ReadProblems problems) {
    SyntheticText text = new SyntheticText();
    return new DocumentReader() {
      private long index;

      @Override
      public CorpusDocument next() {
        return index < count ? text.document(seed, index++) : null;
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public String describe() {
    return NAME + ":" + count + ", seed " + seed;
  }

  @Override
  public OptionalLong documentCount() {
    return OptionalLong.of(count);
  }

  @Override
  public OptionalLong textBytes() {
    SyntheticText text = new SyntheticText();
    long sample = Math.min(count, SAMPLE);
    long bytes = 0;
    for (long index = 0; index < sample; index++) {
      CorpusDocument document = text.document(seed, index);
      bytes += document.title().length() + document.body().length();
    }
    return OptionalLong.of(Math.round((double) bytes / sample * count));
  }
}
