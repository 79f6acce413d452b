package io.weir.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;

class SyntheticSourceTest {

  /** Possessive, so that the stack does not grow with the text. */
  private static final Pattern SENTENCES =
      Pattern.compile("(?:[A-Za-z0-9]++(?: [a-z0-9]++)*+\\. ?)++");

  /**
   * Figures of two runs are compared only if both indexed the same bytes: a change of this digest
   * is a change of every figure, and needs saying so.
   */
  @Example
  void open_seedOne_givesTheseBytesForever() throws Exception {
    MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
    try (DocumentReader reader = DocumentSources.parse("synthetic:1000", 1).open(problems())) {
      for (CorpusDocument document; (document = reader.next()) != null; ) {
        String line =
            document.title() + '\t' + document.epochMillis() + '\t' + document.body() + '\n';
        sha256.update(line.getBytes(StandardCharsets.UTF_8));
      }
    }
    assertEquals(
        "d90faf556a7c7849f9019ba0c5dc87418bc94867a8bceef829c881a50f0fbdc5",
        HexFormat.of().formatHex(sha256.digest()));
  }

  @Property(tries = 20)
  void document_anyIndex_dependsOnNothingButSeedAndIndex(
      @ForAll long seed, @ForAll @LongRange(min = 0, max = 200) long index) throws IOException {
    try (DocumentReader reader = new SyntheticSource(1000, seed).open(problems())) {
      CorpusDocument document = null;
      for (long i = 0; i <= index; i++) {
        document = reader.next();
      }
      assertEquals(new SyntheticText().document(seed, index), document);
    }
  }

  @Example
  void document_otherSeedOrIndex_isAnother() {
    SyntheticText text = new SyntheticText();
    assertNotEquals(text.document(1, 0), text.document(2, 0));
    assertNotEquals(text.document(1, 0), text.document(1, 1));
  }

  @Example
  void next_behindTheLast_isNullForGood() throws IOException {
    try (DocumentReader reader = new SyntheticSource(3, 7).open(problems())) {
      for (int i = 0; i < 3; i++) {
        assertTrue(reader.next() != null);
      }
      assertNull(reader.next());
      assertNull(reader.next());
    }
  }

  @Example
  void document_manyOfThem_readLikeText() {
    SyntheticText text = new SyntheticText();
    int documents = 3000;
    Map<String, Integer> ranks = new HashMap<>();
    for (int rank = 0; rank < Vocabulary.WORDS; rank++) {
      ranks.put(Vocabulary.get().word(rank), rank);
    }
    long[] counts = new long[Vocabulary.WORDS];
    Set<String> terms = new HashSet<>();
    int termsAtHalf = 0;
    long bodyBytes = 0;
    int longest = 0;
    long first = Instant.parse("2001-01-15T00:00:00Z").toEpochMilli();
    long last = Instant.parse("2011-01-15T00:00:00Z").toEpochMilli();
    for (int i = 0; i < documents; i++) {
      CorpusDocument document = text.document(5, i);
      assertTrue(SENTENCES.matcher(document.body()).matches(), document::body);
      assertTrue(document.title().matches("[A-Z0-9][a-z0-9]*(?: [A-Z0-9][a-z0-9]*){1,4}"));
      assertTrue(document.epochMillis() >= first && document.epochMillis() < last);
      bodyBytes += document.body().length();
      longest = Math.max(longest, document.body().length());
      for (String word : document.body().toLowerCase(Locale.ROOT).split("[ .]+")) {
        terms.add(word);
        Integer rank = ranks.get(word);
        if (rank != null) {
          counts[rank]++;
        }
      }
      if (i == documents / 2) {
        termsAtHalf = terms.size();
      }
    }
    assertEquals(1000, bodyBytes / documents, 60);
    assertTrue(longest > 5000, "longest body: " + longest);
    assertEquals(-1.0, ZipfSamplerTest.slope(counts, 17), 0.03);
    // Heaps' law: twice the text has half as many terms again.
    assertEquals(1.5, (double) terms.size() / termsAtHalf, 0.2);
  }

  @Example
  void textBytes_anyCount_isNearTheTruth() throws IOException {
    for (long count : new long[] {1, 100, 20_000}) {
      SyntheticSource source = new SyntheticSource(count, 3);
      long bytes = 0;
      try (DocumentReader reader = source.open(problems())) {
        for (CorpusDocument document; (document = reader.next()) != null; ) {
          bytes += document.title().length() + document.body().length();
        }
      }
      assertEquals(bytes, source.textBytes().orElseThrow(), 0.05 * bytes, "count " + count);
    }
  }

  @Example
  void parse_countOrNone_isSaidByDescribe() {
    DocumentSource source = DocumentSources.parse("synthetic:200000", 1);
    assertEquals("synthetic:200000, seed 1", source.describe());
    assertEquals(OptionalLong.of(200_000), source.documentCount());
    assertEquals(
        OptionalLong.of(DocumentSources.DEFAULT_COUNT),
        DocumentSources.parse("synthetic", 1).documentCount());
  }

  private static ReadProblems problems() {
    return new ReadProblems();
  }
}
