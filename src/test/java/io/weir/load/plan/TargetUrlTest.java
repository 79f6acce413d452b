package io.weir.load.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.stress.plan.EngineApi;
import io.weir.stress.plan.EngineSite;
import java.net.URI;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TargetUrlTest {

  @ParameterizedTest
  @CsvSource({
    "http://h:9200/a/_search, http://h:9200/a/_search?q=x+AND+y",
    "http://h:9200/a/_search?size=5, http://h:9200/a/_search?size=5&q=x+AND+y",
    "https://h/solr/a/select, https://h/solr/a/select?q=x+AND+y",
    "http://h:8983/solr/a/select?q={q}&rows=3, http://h:8983/solr/a/select?q=x+AND+y&rows=3",
    "http://h:80, http://h:80/search?q=x+AND+y",
    "http://h:80/, http://h:80/search?q=x+AND+y",
    "http://h/find/{q}/now, http://h/find/x+AND+y/now",
    "http://me:secret@h/a/_search, http://h/a/_search?q=x+AND+y"
  })
  void of_aQuery_standsWhereTheServiceExpectsIt(String target, String address) {
    assertEquals(URI.create(address), TargetUrl.parse(target).of("x AND y"));
  }

  @Test
  void index_ofAnEngine_isWhatItsQueriesSearch() {
    TargetUrl rest = TargetUrl.parse("https://h:9200/below/a/_search");
    TargetUrl solr = TargetUrl.parse("http://h:8983/solr/A/select");

    assertEquals(
        new EngineSite.RunningCluster(
            EngineApi.REST, URI.create("https://h:9200/below"), Optional.empty(), "a"),
        rest.index(Optional.empty()).orElseThrow());
    assertEquals(URI.create("https://h:9200/below/a/_search"), rest.ofBodies());
    assertEquals(
        new EngineSite.RunningCluster(
            EngineApi.SOLR, URI.create("http://h:8983/solr"), Optional.empty(), "A"),
        solr.index(Optional.empty()).orElseThrow());
  }

  /** Bodies would leave out what the user adds. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://h:9200/_search",
        "http://h:9200/a/_search?size=1",
        "http://h:9200/a/_search?q=x+{q}",
        "http://h/a/search"
      })
  void index_ofAnotherService_isNone(String target) {
    assertEquals(Optional.empty(), TargetUrl.parse(target).index(Optional.empty()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "localhost:9200",
        "ftp://h/a/_search",
        "http://h/a",
        "http://",
        "a b",
        "http://h/a/_search#x",
        "http://h:99999/search",
        "http://h:0/search"
      })
  void parse_noAddressOfAService_isRefused(String target) {
    assertThrows(IllegalArgumentException.class, () -> TargetUrl.parse(target));
  }

  @Test
  void login_ofTheAddress_isInNoTemplate() {
    String target = "http://me:s3cret@h/a/_search";

    assertEquals("me", TargetUrl.login(target).orElseThrow().user());
    assertEquals(Optional.empty(), TargetUrl.login("http://h/a/_search"));
    assertFalse(TargetUrl.parse(target).toString().contains("s3cret"));
    assertFalse(
        assertThrows(IllegalArgumentException.class, () -> TargetUrl.parse("http://me:s3cret@h/a"))
            .getMessage()
            .contains("s3cret"));
  }
}
