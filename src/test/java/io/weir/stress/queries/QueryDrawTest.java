package io.weir.stress.queries;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.stress.SmallIndex;
import io.weir.stress.plan.QuerySource;
import io.weir.stress.queries.SearchQuery.Operator;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.MultiTerms;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QueryDrawTest {

  private static final List<QuerySource> DRAWN =
      Stream.of("terms", "mixed", "knn", "hybrid", "heaviest:40").map(QuerySource::parse).toList();

  @TempDir static Path shared;
  private static Directory directory;
  private static DirectoryReader reader;

  @BeforeAll
  static void build() throws Exception {
    directory = FSDirectory.open(SmallIndex.build(shared.resolve("index"), 500));
    reader = DirectoryReader.open(directory);
  }

  @AfterAll
  static void close() throws Exception {
    reader.close();
    directory.close();
  }

  @Test
  void draw_mixed_hasEachKindAsOftenAsItSays() throws Exception {
    Map<String, Long> kinds =
        mixed(1).stream()
            .collect(
                Collectors.groupingBy(
                    q -> q.operator() + " " + q.terms().size() + "-" + q.without().size(),
                    TreeMap::new,
                    Collectors.counting()));

    assertEquals(
        Map.of(
            "AND 1-0", 1000L, "AND 2-0", 200L, "AND 3-0", 200L, "OR 2-0", 160L, "OR 3-0", 120L,
            "OR 4-0", 120L, "AND 1-1", 200L),
        kinds);
  }

  @Test
  void draw_mixed_hasNoTermTwiceInAQuery() throws Exception {
    for (SearchQuery query : mixed(1)) {
      List<String> terms = Stream.concat(query.terms().stream(), query.without().stream()).toList();
      assertEquals(new HashSet<>(terms).size(), terms.size(), query.toString());
    }
  }

  /** Not all ANDs first: any hundred of them look alike. */
  @Test
  void draw_mixed_isShuffled() throws Exception {
    List<SearchQuery> queries = mixed(1);
    for (int i = 0; i < queries.size(); i += 250) {
      long single =
          queries.subList(i, i + 250).stream()
              .filter(q -> q.terms().size() + q.without().size() == 1)
              .count();
      assertEquals(125, single, 35, "from " + i);
    }
  }

  /** Common terms are common in each kind. */
  @Test
  void draw_mixed_drawsTermsAsOftenAsTheyAreCommon() throws Exception {
    String commonest = commonest(SearchTerms.drawByDocuments(reader, 10_000, 3, () -> false));
    List<String> drawn =
        mixed(1).stream()
            .filter(q -> q.operator() == Operator.AND && q.terms().size() == 1)
            .map(q -> q.terms().get(0))
            .toList();
    double share =
        Collections.frequency(
                SearchTerms.drawByDocuments(reader, 10_000, 3, () -> false), commonest)
            / 10_000.0;

    assertEquals(
        share, Collections.frequency(drawn, commonest) / (double) drawn.size(), 0.01, commonest);
  }

  @Test
  void draw_sameIndexAndSeed_isTheSameFileToTheByte() throws Exception {
    for (QuerySource kind : DRAWN) {
      byte[] first = QueryDraw.draw(reader, kind, 5, () -> false);

      assertArrayEquals(first, QueryDraw.draw(reader, kind, 5, () -> false));
      assertFalse(Arrays.equals(first, QueryDraw.draw(reader, kind, 6, () -> false)));
    }
  }

  @Test
  void draw_heaviest_areTheTermsInMostDocuments() throws Exception {
    byte[] text = QueryDraw.draw(reader, QuerySource.parse("heaviest:40"), 5, () -> false);

    Set<Integer> counts = new HashSet<>();
    Set<String> drawn = new HashSet<>();
    for (SearchQuery query : new QueryFile("q", text).queries()) {
      drawn.add(query.terms().getFirst());
      counts.add(reader.docFreq(new Term("body", query.terms().getFirst())));
    }
    assertEquals(40, drawn.size());
    int least = Collections.min(counts);
    TermsEnum walk = MultiTerms.getTerms(reader, "body").iterator();
    for (BytesRef term = walk.next(); term != null; term = walk.next()) {
      assertTrue(
          walk.docFreq() <= least || drawn.contains(term.utf8ToString()), term.utf8ToString());
    }
  }

  /** What is searched for without the option is what it always was. */
  @Test
  void draw_terms_areThoseOfSearchTermsInTheirOrder() throws Exception {
    byte[] text = QueryDraw.draw(reader, QuerySource.TERMS, 5, () -> false);

    assertEquals(
        SearchTerms.drawBySegment(reader, 2000, 5, () -> false),
        new QueryFile("q", text).queries().stream().map(q -> q.terms().get(0)).toList());
  }

  @Test
  void draw_anyKind_saysAtItsHeadWhatItIs() throws Exception {
    String mixed =
        new String(
            QueryDraw.draw(reader, QuerySource.parse("mixed"), 5, () -> false),
            StandardCharsets.UTF_8);

    assertTrue(mixed.startsWith("# What weir stress searched for, "), mixed.substring(0, 200));
    assertTrue(
        mixed.contains("\n# mixed, seed 5: 50 % single terms, 20 % AND "), mixed.substring(0, 300));
    assertTrue(mixed.contains(": 2000 queries.\n"), mixed.substring(0, 400));
  }

  @Test
  void draw_indexWithoutText_hasNoQueries() throws Exception {
    try (Directory empty = new ByteBuffersDirectory()) {
      new IndexWriter(empty, new IndexWriterConfig()).close();
      try (DirectoryReader none = DirectoryReader.open(empty)) {
        for (QuerySource kind : DRAWN) {
          assertEquals(
              List.of(), new QueryFile("q", QueryDraw.draw(none, kind, 1, () -> false)).queries());
        }
      }
    }
  }

  @Test
  void mix_ofFewerTermsThanAQueryWants_hasShorterQueries() {
    assertEquals(
        Set.of(SearchQuery.term("only")), Set.copyOf(QueryMix.of(List.of("only"), 200, 1)));
    assertTrue(
        QueryMix.of(List.of("a", "b"), 200, 1).stream()
            .allMatch(q -> q.terms().size() + q.without().size() <= 2));
  }

  @Test
  void mix_takesTermsInTheirOrderAndOverAgain() {
    List<String> pool = IntStream.range(0, 10).mapToObj(i -> "t" + i).toList();
    List<String> taken =
        QueryMix.of(pool, 100, 1).stream()
            .flatMap(q -> Stream.concat(q.terms().stream(), q.without().stream()))
            .toList();

    for (int i = 0; i < taken.size(); i++) {
      assertEquals("t" + i % 10, taken.get(i));
    }
  }

  private static List<SearchQuery> mixed(long seed) throws Exception {
    return QueryDraw.mixed(reader, seed, () -> false);
  }

  private static String commonest(List<String> terms) {
    return terms.stream()
        .collect(Collectors.groupingBy(term -> term, Collectors.counting()))
        .entrySet()
        .stream()
        .max(Map.Entry.comparingByValue())
        .orElseThrow()
        .getKey();
  }
}
