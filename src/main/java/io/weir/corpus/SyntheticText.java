package io.weir.corpus;

import java.nio.charset.StandardCharsets;

/**
 * Creates the document with a given index and seed; only these two determine its content.
 *
 * <p>Words follow Zipf's law over the {@link Vocabulary}; one word in 128 is a number instead, up
 * to ten digits long, so that new terms keep appearing at any number of documents, as in natural
 * text (Heaps' law). Bodies have about 1 KB on average, log-normally spread from a line to about
 * 100 KB; sentences have 6 to 21 words. All text is ASCII, without tabs or line ends.
 *
 * <p><b>Threads:</b> one at a time, because it reuses a buffer.
 */
final class SyntheticText {

  private static final int MIN_WORDS = 8;
  private static final int MAX_WORDS = 1 << 14;

  /** Of the logarithm of the number of words: a mean of 165 words, which make 1 KB. */
  private static final double LOG_WORDS_MEAN = 4.786;

  private static final double LOG_WORDS_DEVIATION = 0.8;

  /** Dates fall into the ten years from 2001-01-15, Wikipedia's first day. */
  private static final long FIRST_DATE_SECONDS = 979_516_800;

  private static final int DATE_RANGE_SECONDS = 315_532_800;

  private static final int NUMBER_MASK = 127;

  private static final ZipfSampler ZIPF = new ZipfSampler(Vocabulary.RANK_BITS);

  private final Vocabulary vocabulary = Vocabulary.get();

  // Room for the longest words, each with a full stop, and for what a copied slot overwrites.
  private final byte[] text = new byte[(MAX_WORDS + 1) * (Vocabulary.SLOT_BYTES + 1)];

  /** The document of an index, counted from 0. */
  CorpusDocument document(long seed, long index) {
    SplitMix64 random = SplitMix64.at(seed, index);
    long epochMillis = (FIRST_DATE_SECONDS + random.below(DATE_RANGE_SECONDS)) * 1000;
    String title = string(title(random));
    String body = string(body(words(random), random));
    return new CorpusDocument(title, body, epochMillis);
  }

  private int title(SplitMix64 random) {
    int end = 0;
    for (int left = 2 + random.below(4); left > 0; left--) {
      int start = end;
      end = word(random.next(), random, end);
      capitalize(start);
    }
    return end - 1;
  }

  private int body(int words, SplitMix64 random) {
    int end = 0;
    int leftInSentence = 0;
    for (int left = words; left > 0; left--) {
      int start = end;
      end = word(random.next(), random, end);
      if (leftInSentence == 0) {
        leftInSentence = 6 + random.below(16);
        capitalize(start);
      }
      if (--leftInSentence == 0 || left == 1) {
        text[end - 1] = '.';
        text[end++] = ' ';
      }
    }
    return end - 1;
  }

  /** Writes a word or a number, and a blank; returns the index behind the blank. */
  private int word(long draw, SplitMix64 random, int at) {
    if ((draw >>> ZipfSampler.FIRST_FREE_BIT & NUMBER_MASK) == 0) {
      return number(random.next(), at);
    }
    return vocabulary.copyWordAndBlank(ZIPF.rank(draw), text, at);
  }

  /** Small numbers as often as large ones: of 2 to 33 bits, each as likely. */
  private int number(long draw, int at) {
    long number = draw >>> (31 + (draw & 31));
    int end = at;
    for (long rest = number; rest >= 10; rest /= 10) {
      end++;
    }
    for (int digit = end; digit >= at; digit--) {
      text[digit] = (byte) ('0' + number % 10);
      number /= 10;
    }
    text[end + 1] = ' ';
    return end + 2;
  }

  private void capitalize(int at) {
    if (text[at] >= 'a') {
      text[at] -= 'a' - 'A';
    }
  }

  /**
   * A log-normal number of words. The normal variate is a sum of eight uniform ones (Irwin-Hall),
   * and the exponential is {@code StrictMath}'s, since both are the same to the bit everywhere.
   */
  private static int words(SplitMix64 random) {
    long sum = 0;
    for (int draws = 0; draws < 2; draws++) {
      for (long draw = random.next(), left = 4; left > 0; left--, draw >>>= 16) {
        sum += draw & 0xFFFF;
      }
    }
    double mean = 8 * 65535 / 2.0;
    double deviation = Math.sqrt(8 / 12.0) * 65536;
    double normal = (sum - mean) / deviation;
    double words = StrictMath.exp(LOG_WORDS_MEAN + LOG_WORDS_DEVIATION * normal);
    return Math.clamp((long) words, MIN_WORDS, MAX_WORDS);
  }

  private String string(int length) {
    // Of the Latin-1 strings the JDK keeps as bytes: one copy, no decoding.
    return new String(text, 0, length, StandardCharsets.ISO_8859_1);
  }
}
