package io.weir.stress.index;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.corpus.CorpusDocument;
import io.weir.corpus.DocumentReader;
import io.weir.corpus.DocumentSources;
import io.weir.corpus.ReadProblems;
import io.weir.stress.plan.Documents;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apache.lucene.util.VectorUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DocumentVectorsTest {

  private static final int COUNT = 1500;

  @TempDir Path temp;

  /** Whatever the JVM or its version, these are the numbers. */
  @Test
  void of_aText_isTheSameForEver() throws Exception {
    CorpusDocument text = text("Merges", "the quiet merge of many segments, segments 1234567890");
    float[] vector = vectors("6").of(0, text).orElseThrow();

    assertArrayEquals(vector, vectors("6").of(77, text).orElseThrow());
    assertEquals(1, VectorUtil.dotProduct(vector, vector), 1e-6);
    assertArrayEquals(
        new float[] {
          -0.067125805f, 0.44589347f, 0.06454588f, -0.31624997f, 0.047833353f, 0.8307857f
        },
        vector);
  }

  @Test
  void of_anotherSeed_isAnotherVector() throws Exception {
    CorpusDocument text = text("", "the quiet merge of many segments");
    float[] other =
        DocumentVectors.of(new Documents("synthetic:9", 2, 0).withVectors("64"))
            .of(0, text)
            .orElseThrow();

    assertTrue(VectorUtil.dotProduct(vectors("64").of(0, text).orElseThrow(), other) < 0.5);
  }

  @Test
  void of_nothingToRead_isNoVector() throws Exception {
    assertEquals(Optional.empty(), vectors("6").of(0, text("", " - ")));
    DocumentVectors none = DocumentVectors.of(new Documents("synthetic:9", 1, 0));
    assertEquals(Optional.empty(), none.of(0, text("a", "b")));
    assertTrue(none.isNone());
    assertThrows(IllegalStateException.class, () -> none.ofQuery(List.of("a")));
  }

  @ParameterizedTest
  @CsvSource({"6,100", "6:30,30", "6:25%,25", "6:100%,100", "6:0.5%,0"})
  void of_aPartOfDocuments_isForSoMany(String spec, int expected) throws Exception {
    DocumentVectors vectors = vectors(spec);
    List<Integer> with = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      if (vectors.of(i, text("", "word")).isPresent()) {
        with.add(i);
      }
    }

    assertEquals(expected, with.size());
    assertEquals(expected, vectors.count(100));
    if (spec.equals("6:25%")) {
      assertEquals(List.of(3, 7, 11), with.subList(0, 3), "evenly");
    }
  }

  /** Neighbours mean something: the nearest document shares more words than another one does. */
  @Test
  void of_syntheticText_nearestSharesMoreTellingWordsThanARandomOne() throws Exception {
    List<float[]> vectors = new ArrayList<>();
    List<Set<String>> words = new ArrayList<>();
    read(vectors, words);
    long ofNearest = 0;
    long ofRandom = 0;
    double near = 0;
    double far = 0;
    for (int i = 0; i < 300; i++) {
      int nearest = nearest(vectors, i);
      int random = (i + COUNT / 2) % COUNT;
      ofNearest += shared(words.get(i), words.get(nearest));
      ofRandom += shared(words.get(i), words.get(random));
      near += VectorUtil.dotProduct(vectors.get(i), vectors.get(nearest)) / 300;
      far += VectorUtil.dotProduct(vectors.get(i), vectors.get(random)) / 300;
    }

    assertTrue(ofNearest > 1.5 * ofRandom, ofNearest + " of nearest, " + ofRandom + " of random");
    assertTrue(near > 0.4 && Math.abs(far) < 0.15, near + " of nearest, " + far + " of random");
  }

  /** Clusters: documents that are about one word are nearer to each other than to the rest. */
  @Test
  void of_syntheticText_formsClustersByTheHeaviestWord() throws Exception {
    List<float[]> vectors = new ArrayList<>();
    List<Set<String>> words = new ArrayList<>();
    read(vectors, words);
    List<String> topics =
        words.stream().map(of -> DocumentVectors.heaviest(of, 1, 1).getFirst()).toList();
    double within = 0;
    double between = 0;
    long pairs = 0;
    long others = 0;
    for (int i = 0; i < COUNT; i++) {
      for (int j = i + 1; j < COUNT; j++) {
        float similarity = VectorUtil.dotProduct(vectors.get(i), vectors.get(j));
        if (topics.get(i).equals(topics.get(j))) {
          within += similarity;
          pairs++;
        } else {
          between += similarity;
          others++;
        }
      }
    }

    assertTrue(pairs > COUNT, pairs + " pairs in a cluster");
    assertTrue(within / pairs > 0.3, within / pairs + " within");
    assertTrue(within / pairs > between / others + 0.25, between / others + " between");
    assertTrue(new HashSet<>(topics).size() > 50, topics.toString());
  }

  /** A query for the telling words of a text is near to it. */
  @Test
  void ofQuery_wordsOfADocument_isNearIt() throws Exception {
    List<float[]> vectors = new ArrayList<>();
    List<Set<String>> words = new ArrayList<>();
    read(vectors, words);
    DocumentVectors made = vectors("64");
    int found = 0;
    for (int i = 0; i < 100; i++) {
      float[] query = made.ofQuery(DocumentVectors.heaviest(words.get(i), 5, 1));
      float own = VectorUtil.dotProduct(query, vectors.get(i));
      found +=
          vectors.stream().filter(v -> VectorUtil.dotProduct(query, v) > own).count() < 10 ? 1 : 0;
    }

    assertTrue(found > 90, found + " of 100 are among the ten nearest");
  }

  /** Making a vector must be little beside indexing it, which takes a millisecond or so. */
  @Test
  void of_aText_takesLittleTime() throws Exception {
    DocumentVectors made = vectors("128");
    CorpusDocument text =
        text("", "segments merge slowly while readers wait for the disk ".repeat(20));
    long startNanos = System.nanoTime();
    float sum = 0;
    for (int i = 0; i < 1000; i++) {
      sum += made.of(i, text).orElseThrow()[0];
    }

    double millis = (System.nanoTime() - startNanos) / 1e6;
    assertTrue(millis < 20_000, millis + " ms for 1000 vectors: " + sum);
  }

  @Test
  void of_aFile_isItsVectorInOrderAndOfLengthOne() throws Exception {
    DocumentVectors vectors = vectors(fvecs(new float[] {3, 4}, new float[] {0, 2}).toString());

    assertArrayEquals(new float[] {0.6f, 0.8f}, vectors.of(0, text("", "")).orElseThrow(), 1e-6f);
    assertArrayEquals(new float[] {0, 1}, vectors.of(1, text("", "")).orElseThrow(), 1e-6f);
    assertEquals(Optional.empty(), vectors.of(2, text("", "a word")));
    assertEquals(2, vectors.count(100));
    assertEquals(98, vectors.afterFile(100));
    assertEquals(16, vectors.bytes(100));
  }

  @Test
  void ofQuery_ofAFile_isNearOneOfItsVectors() throws Exception {
    float[][] all = new float[40][];
    for (int i = 0; i < all.length; i++) {
      all[i] = new float[16];
      all[i][i % 16] = i < 16 ? 1 : -1;
      all[i][(i + 1) % 16] = i / 16;
    }
    DocumentVectors vectors = vectors(fvecs(all).toString());
    float[] query = vectors.ofQuery(List.of("disk", "segment"));

    assertArrayEquals(query, vectors.ofQuery(List.of("disk", "segment")));
    assertFalse(Arrays.equals(query, vectors.ofQuery(List.of("disk", "merge"))));
    double best = -1;
    for (int i = 0; i < all.length; i++) {
      best =
          Math.max(best, VectorUtil.dotProduct(query, vectors.of(i, text("", "")).orElseThrow()));
    }
    assertTrue(best > 0.7 && best < 0.999, best + " is neither near nor another vector");
  }

  @ParameterizedTest
  @CsvSource({
    "128,128",
    "1,1",
    "1024,1024",
    "128:5000,128:5000",
    "128:50%,128:50%",
    "8:12.5%,8:12.5%",
    "8:0.7%,8:0.7%",
    "8:14.7%,8:14.7%",
    "8:33.3%,8:33.3%",
    "8:0.9%,8:0.9%",
    "8:100%,8"
  })
  void parse_ofDimensions_isPrintedSo(String text, String printed) {
    DocumentVectors.Spec spec = DocumentVectors.Spec.parse(text);

    assertEquals(printed, spec.toString());
    assertEquals(spec, DocumentVectors.Spec.parse(spec.toString()));
  }

  @Test
  void parse_aFile_isItsAbsolutePath() {
    assertEquals(
        Path.of("sift.fvecs").toAbsolutePath().toString(),
        DocumentVectors.Spec.parse("sift.fvecs").toString());
    assertEquals(
        Path.of("128").toAbsolutePath().toString(), DocumentVectors.Spec.parse("./128").toString());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0|vectors must have from 1 to 1024 dimensions: 0",
        "1025|vectors must have from 1 to 1024 dimensions: 1025",
        "8:0|vectors must be of at least 1 document: 0",
        "8:0%|vectors must be of more than 0 % and at most 100 % of the documents: 0 %",
        "8:101%|vectors must be of more than 0 % and at most 100 % of the documents: 101 %",
        "8:1.2.3%|vectors must have a number before %: '8:1.2.3%'",
        "8:half|vectors must be DIMS, DIMS:COUNT, DIMS:SHARE% or a file: '8:half'"
      })
  void parse_whatNoDocumentsCanHave_isRefused(String text, String message) {
    IllegalArgumentException thrown =
        assertThrows(IllegalArgumentException.class, () -> DocumentVectors.Spec.parse(text));
    assertEquals(message, thrown.getMessage());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " "})
  void parse_nothing_isRefused(String text) {
    assertThrows(IllegalArgumentException.class, () -> DocumentVectors.Spec.parse(text));
  }

  private static void read(List<float[]> vectors, List<Set<String>> words) throws Exception {
    DocumentVectors made = vectors("64");
    try (DocumentReader reader =
        DocumentSources.parse("synthetic:" + COUNT, 1).open(new ReadProblems())) {
      for (int i = 0; i < COUNT; i++) {
        CorpusDocument text = reader.next();
        vectors.add(made.of(i, text).orElseThrow());
        words.add(
            new HashSet<>(
                List.of(
                    (text.title() + " " + text.body()).toLowerCase(Locale.ROOT).split("[ .]+"))));
      }
    }
  }

  private static int nearest(List<float[]> vectors, int of) {
    int nearest = of == 0 ? 1 : 0;
    for (int i = 0; i < vectors.size(); i++) {
      if (i != of
          && VectorUtil.dotProduct(vectors.get(of), vectors.get(i))
              > VectorUtil.dotProduct(vectors.get(of), vectors.get(nearest))) {
        nearest = i;
      }
    }
    return nearest;
  }

  /** How many words two texts share that are long enough to tell something. */
  private static long shared(Set<String> one, Set<String> other) {
    return one.stream().filter(word -> word.length() >= 6).filter(other::contains).count();
  }

  private static CorpusDocument text(String title, String body) {
    return new CorpusDocument(title, body, 0);
  }

  private static DocumentVectors vectors(String spec) throws Exception {
    return DocumentVectors.of(new Documents("synthetic:9", 1, 0).withVectors(spec));
  }

  private Path fvecs(float[]... vectors) throws Exception {
    int bytes = vectors.length * Float.BYTES * (1 + vectors[0].length);
    ByteBuffer file = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    for (float[] vector : vectors) {
      file.putInt(vector.length);
      for (float number : vector) {
        file.putFloat(number);
      }
    }
    return Files.write(temp.resolve("v.fvecs"), file.array());
  }
}
