package io.weir.load.plan;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.weir.rest.Login;
import io.weir.stress.plan.EngineApi;
import io.weir.stress.plan.EngineSite;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a service answers queries by HTTP GET: an address with {@value #PLACE} where the query
 * goes.
 *
 * <p>Without it, the address of OpenSearch and Elasticsearch (a path that ends with {@code
 * /_search}) and of Solr ({@code /select}) gets a parameter {@code q}; an address without a path is
 * one of our own protocol, {@code /search?q=}.
 *
 * @param template with {@value #PLACE}, without a name or a password
 */
public record TargetUrl(@JsonValue String template) {

  /** Where the query goes. */
  public static final String PLACE = "{q}";

  private static final Pattern OF_ENGINE =
      Pattern.compile("(https?://.+)/([^/?]+)/(_search|select)\\?q=\\{q}");

  private static final int NO_PORT = -1;
  private static final int MOST_PORT = 65_535;

  /** As a file of a run has it. */
  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public TargetUrl {
    if (!template.contains(PLACE)) {
      throw new IllegalArgumentException("a target must have a place for the query: " + template);
    }
  }

  /**
   * As the user gives it, but for a name and a password in it.
   *
   * @throws IllegalArgumentException when it is no address of a service
   */
  public static TargetUrl parse(String text) {
    URI address = address(text);
    String clean =
        Optional.ofNullable(address.getRawUserInfo())
            .map(user -> text.replaceFirst("//[^/]*@", "//"))
            .orElse(text);
    if (clean.contains(PLACE)) {
      return new TargetUrl(clean);
    }
    String path = Optional.ofNullable(address.getPath()).orElse("");
    String join = address.getRawQuery() == null ? "?q=" : "&q=";
    if (path.endsWith("/_search") || path.endsWith("/select") || path.endsWith("/search")) {
      return new TargetUrl(clean + join + PLACE);
    }
    if (path.isEmpty() || path.equals("/")) {
      return new TargetUrl(clean.replaceAll("/$", "") + "/search?q=" + PLACE);
    }
    throw new IllegalArgumentException(
        "target must end with /_search, /select or /search, or have %s where the query goes: %s"
            .formatted(PLACE, Login.hide(text)));
  }

  /** The name and the password in an address that the user gave. */
  public static Optional<Login> login(String text) {
    return Optional.ofNullable(address(text).getUserInfo()).map(Login::ofUserInfo);
  }

  /**
   * The index that it searches; empty unless that is one of an engine, searched without parameters
   * of the user's.
   *
   * @throws IllegalArgumentException for a name that no index has
   */
  public Optional<EngineSite.RunningCluster> index(Optional<Login> login) {
    Matcher parts = OF_ENGINE.matcher(template);
    return parts.matches()
        ? Optional.of(
            new EngineSite.RunningCluster(
                parts.group(3).equals("select") ? EngineApi.SOLR : EngineApi.REST,
                URI.create(parts.group(1)),
                login,
                parts.group(2)))
        : Optional.empty();
  }

  /** The address of queries that are sent as bodies. */
  public URI ofBodies() {
    return URI.create(template.substring(0, template.indexOf('?')));
  }

  /** The address of one query. */
  public URI of(String query) {
    return URI.create(template.replace(PLACE, URLEncoder.encode(query, StandardCharsets.UTF_8)));
  }

  private static URI address(String text) {
    try {
      URI address = URI.create(text.replace(PLACE, "q"));
      int port = address.getPort();
      if (address.getHost() != null
          && (port == NO_PORT || port > 0 && port <= MOST_PORT)
          && address.getRawFragment() == null // a client never sends it
          && ("http".equals(address.getScheme()) || "https".equals(address.getScheme()))) {
        return address;
      }
    } catch (IllegalArgumentException e) {
      // Said below.
    }
    throw new IllegalArgumentException(
        "target must be an address such as http://localhost:9200/articles/_search: "
            + Login.hide(text));
  }
}
