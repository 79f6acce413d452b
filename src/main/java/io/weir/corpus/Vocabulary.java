package io.weir.corpus;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;

/**
 * The words of synthetic text: {@value #WORDS} different ones, pronounceable, in lower-case ASCII,
 * the frequent ones short. The same on every JVM and for every seed.
 *
 * <p>Each word is in a slot of {@value #SLOT_BYTES} bytes, followed by a blank. A word is written
 * by copying its whole slot, which has a fixed length; the next word starts after the blank.
 *
 * <p><b>Threads:</b> any; immutable.
 */
final class Vocabulary {

  static final int RANK_BITS = 17;
  static final int WORDS = 1 << RANK_BITS;
  static final int SLOT_BYTES = 16;

  private static final int MIN_LETTERS = 2;
  private static final int MAX_LETTERS = SLOT_BYTES - 2;

  /** In its slot's last byte stands how many bytes the word and its blank take. */
  private static final int LENGTH_AT = SLOT_BYTES - 1;

  private static final long VOCABULARY_SEED = 0x57454952;
  private static final int TRIES_PER_LENGTH = 8;

  private static final String SINGLE_VOWELS = "aeiou";
  private static final String[] ONSETS =
      ("b c d f g h j k l m n p r s t v w z b d f l m n p r s t s t "
              + "bl br ch cl cr dr fl fr gl gr pl pr qu sc sh sl sp st str th tr")
          .split(" ");
  private static final String[] VOWELS =
      "a e i o u a e i o e a e ai au ea ee ia io oo ou".split(" ");
  private static final String[] CODAS = "n r s t l d m n r s nd nt st ck rd ng x p".split(" ");

  private static final Vocabulary INSTANCE = new Vocabulary();

  private final byte[] slots = new byte[WORDS * SLOT_BYTES];

  private Vocabulary() {
    SplitMix64 random = new SplitMix64(VOCABULARY_SEED);
    // Asked only whether it holds a word: its order has no influence.
    Set<String> taken = new HashSet<>(WORDS * 2);
    for (int rank = 0; rank < WORDS; rank++) {
      int letters = letters(rank, random);
      String word = word(letters, random);
      for (int tries = 1; !taken.add(word); tries++) {
        word = word(Math.min(MAX_LETTERS, letters + tries / TRIES_PER_LENGTH), random);
      }
      put(rank, word);
    }
  }

  /** The one there is; made when first asked for, in a fraction of a second. */
  static Vocabulary get() {
    return INSTANCE;
  }

  /**
   * Copies the word and a blank to {@code target} and returns the index behind the blank; may
   * overwrite up to {@value #SLOT_BYTES} bytes from {@code at} on.
   */
  int copyWordAndBlank(int rank, byte[] target, int at) {
    int slot = rank * SLOT_BYTES;
    System.arraycopy(slots, slot, target, at, SLOT_BYTES);
    return at + slots[slot + LENGTH_AT];
  }

  String word(int rank) {
    int slot = rank * SLOT_BYTES;
    return new String(slots, slot, slots[slot + LENGTH_AT] - 1, StandardCharsets.US_ASCII);
  }

  /**
   * How long a word of a rank is: about 0.4 letters more with each doubling of the rank, as in
   * English, where running text has 5 letters a word and a dictionary 8.
   */
  private static int letters(int rank, SplitMix64 random) {
    int doublings = Integer.SIZE - Integer.numberOfLeadingZeros(rank + 1);
    int jitter = random.below(4) - 1;
    return Math.clamp(1 + (doublings * 2 + 2) / 5 + Math.min(jitter, 1), MIN_LETTERS, MAX_LETTERS);
  }

  private static String word(int letters, SplitMix64 random) {
    StringBuilder word = new StringBuilder(MAX_LETTERS);
    boolean startsWithVowel = random.below(5) == 0;
    while (word.length() < letters) {
      if (!startsWithVowel || !word.isEmpty()) {
        word.append(ONSETS[random.below(ONSETS.length)]);
      }
      word.append(VOWELS[random.below(VOWELS.length)]);
      if (random.below(3) == 0) {
        word.append(CODAS[random.below(CODAS.length)]);
      }
    }
    if (word.length() > letters) {
      word.setLength(letters);
      // A cut may leave an ending that no one can speak.
      int last = letters - 1;
      if (word.charAt(last) == 'q' || !isVowel(word, last) && !isVowel(word, last - 1)) {
        word.setCharAt(last, SINGLE_VOWELS.charAt(random.below(SINGLE_VOWELS.length())));
      }
    }
    return word.toString();
  }

  private static boolean isVowel(CharSequence word, int at) {
    return SINGLE_VOWELS.indexOf(word.charAt(at)) >= 0;
  }

  private void put(int rank, String word) {
    int slot = rank * SLOT_BYTES;
    byte[] letters = word.getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(letters, 0, slots, slot, letters.length);
    slots[slot + letters.length] = ' ';
    slots[slot + LENGTH_AT] = (byte) (letters.length + 1);
  }
}
