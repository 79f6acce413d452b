package io.weir.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class VocabularyTest {

  private final Vocabulary vocabulary = Vocabulary.get();

  @Test
  void word_everyRank_isADifferentSpeakableWord() {
    Pattern speakable = Pattern.compile("(?=.*[aeiou])[a-z]{2,14}");
    Set<String> words = new HashSet<>();
    for (int rank = 0; rank < Vocabulary.WORDS; rank++) {
      String word = vocabulary.word(rank);
      assertTrue(words.add(word), () -> "twice: " + word);
      assertTrue(speakable.matcher(word).matches(), word);
    }
    assertEquals(131_072, words.size());
  }

  @Test
  void word_lengths_areThoseOfEnglish() {
    double inText = 0;
    double weights = 0;
    double inDictionary = 0;
    for (int rank = 0; rank < Vocabulary.WORDS; rank++) {
      int letters = vocabulary.word(rank).length();
      inText += letters / (rank + 1.0);
      weights += 1 / (rank + 1.0);
      inDictionary += letters;
    }
    assertEquals(4.8, inText / weights, 0.3);
    assertEquals(7.7, inDictionary / Vocabulary.WORDS, 0.3);
  }

  @Test
  void copyWordAndBlank_anyWord_returnsTheIndexBehindTheBlank() {
    byte[] target = new byte[3 + Vocabulary.SLOT_BYTES];
    for (int rank = 0; rank < 1000; rank++) {
      int end = vocabulary.copyWordAndBlank(rank, target, 3);
      assertEquals(vocabulary.word(rank) + " ", Utf8.decode(target, 3, end));
    }
  }
}
