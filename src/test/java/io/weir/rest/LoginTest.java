package io.weir.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.stress.plan.EngineSite;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LoginTest {

  private static final Map<String, String> ENVIRONMENT =
      Map.of(Login.USER_VARIABLE, "weir", Login.PASSWORD_VARIABLE, "secret");

  @ParameterizedTest
  @CsvSource({
    "http://weir:secret@host:9200/x, http://***@host:9200/x",
    "--target=https://weir:sec@ret/@host, --target=https://***@host",
    "http://host:9200, http://host:9200",
    "such as http://host:9200: ***@other, such as http://host:9200: ***@other",
    "cannot convert 'http://weir:se cret@host', cannot convert 'http://***@host'",
    "weir@example.org, weir@example.org"
  })
  void hide_hidesTheUserInfoOfAnAddress(String text, String hidden) {
    assertEquals(hidden, Login.hide(text));
  }

  @Test
  void ofEnvironment_takesBothOrNeither() {
    assertEquals(Optional.empty(), Login.ofEnvironment(Map.of()));
    Login login = Login.ofEnvironment(ENVIRONMENT).orElseThrow();
    assertEquals(new Login("weir", "secret"), login);
    assertEquals(ENVIRONMENT, login.toEnvironment());
    assertThrows(
        IllegalArgumentException.class,
        () -> Login.ofEnvironment(Map.of(Login.USER_VARIABLE, "weir")));
  }

  @Test
  void cluster_aLoginInTheAddress_leavesItAndGoesBeforeTheEnvironment() {
    URI address = URI.create("https://other:p%40ss:1@[::1]:9200/prefix");

    EngineSite.RunningCluster cluster =
        EngineSite.RunningCluster.at(address, Optional.empty(), ENVIRONMENT);

    assertEquals(URI.create("https://[::1]:9200/prefix"), cluster.url());
    assertEquals(Optional.of(new Login("other", "p@ss:1")), cluster.login());
    assertFalse(cluster.toString().contains("p@ss"), cluster.toString());
  }

  @Test
  void cluster_anAddressThatIsRefused_isPrintedWithoutItsPassword() {
    assertEquals(
        "target must be the address of a node, such as http://localhost:9200: ***@host:9200",
        assertThrows(
                IllegalArgumentException.class,
                () ->
                    EngineSite.RunningCluster.at(
                        URI.create("weir:secret@host:9200"), Optional.empty(), Map.of()))
            .getMessage());
  }
}
