package io.weir.stress.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.run.RunJson;
import io.weir.stress.plan.Documents;
import io.weir.stress.plan.QuerySource;
import io.weir.stress.queries.QueryFile;
import io.weir.stress.queries.SearchQuery;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class EngineQueriesTest {

  @Test
  void draw_sameSeed_givesTheSameWords() throws Exception {
    Documents documents = new Documents("synthetic:30", 7, 0);
    byte[] drawn = EngineQueries.draw(documents, QuerySource.Kind.TERMS);

    assertEquals(60, new QueryFile("drawn", drawn).count());
    assertArrayEquals(drawn, EngineQueries.draw(documents, QuerySource.Kind.TERMS));
  }

  @Test
  void draw_mixed_hasTheClassesOfQueriesThatOtherRunsHave() throws Exception {
    Documents documents = new Documents("synthetic:300", 7, 0);
    byte[] drawn = EngineQueries.draw(documents, QuerySource.Kind.MIXED);

    Map<String, Long> classes =
        new QueryFile("drawn", drawn)
            .queries().stream()
                .collect(
                    Collectors.groupingBy(
                        query ->
                            query.operator()
                                + " "
                                + query.terms().size()
                                + " "
                                + query.without().size(),
                        TreeMap::new,
                        Collectors.counting()));

    assertEquals(
        "{AND 1 0=1000, AND 1 1=200, AND 2 0=200, AND 3 0=200, OR 2 0=160, OR 3 0=120, OR 4 0=120}",
        classes.toString());
    assertTrue(
        new String(drawn, StandardCharsets.UTF_8)
            .startsWith("# mixed, seed 7: 50 % single terms, "));
    assertArrayEquals(drawn, EngineQueries.draw(documents, QuerySource.Kind.MIXED));
  }

  @Test
  void draw_ofVectors_hasFiveTellingWordsOfEachDocument() throws Exception {
    Documents documents = new Documents("synthetic:300", 7, 0);
    for (QuerySource.Kind kind : List.of(QuerySource.Kind.KNN, QuerySource.Kind.HYBRID)) {
      byte[] drawn = EngineQueries.draw(documents, kind);
      List<SearchQuery> queries = new QueryFile("drawn", drawn).queries();

      assertEquals(300, queries.size());
      assertTrue(
          queries.stream()
              .allMatch(q -> q.kind().name().equals(kind.name()) && q.terms().size() <= 5));
      assertTrue(queries.stream().filter(query -> query.terms().size() == 5).count() > 280);
      assertArrayEquals(drawn, EngineQueries.draw(documents, kind));
    }
  }

  /** An analyzer may leave it out, cut it or join it: no document would be found. */
  @Test
  void words_whatAnAnalyzerMayChange_isNotThere() {
    assertEquals(
        List.of("the", "end", "of", "it"),
        EngineQueries.words("The END, of don't x1 3.14 caf\u00e9 a_b it"));
  }

  @Test
  void json_queryWithNot_isWhatEnginesTake() throws Exception {
    SearchQuery query = new SearchQuery(SearchQuery.Operator.AND, List.of("a", "b"), List.of("c"));

    assertEquals(
        RunJson.parse(
            "{\"bool\":{\"must\":[{\"term\":{\"body\":\"a\"}},{\"term\":{\"body\":\"b\"}}],"
                + "\"must_not\":[{\"term\":{\"body\":\"c\"}}]}}"),
        RunJson.tree(RestIndex.json(query)));
  }
}
