package io.weir.stress.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.stress.plan.Documents;
import io.weir.stress.queries.QueryFile;
import io.weir.stress.queries.SearchQuery;
import io.weir.stress.result.RunJson;
import java.util.List;
import org.junit.jupiter.api.Test;

class EngineQueriesTest {

  @Test
  void draw_sameSeed_givesTheSameWords() throws Exception {
    Documents documents = new Documents("synthetic:30", 7, 0);
    byte[] drawn = EngineQueries.draw(documents);

    assertEquals(60, new QueryFile("drawn", drawn).count());
    assertArrayEquals(drawn, EngineQueries.draw(documents));
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
        RunJson.tree(EngineSearches.json(query)));
  }
}
