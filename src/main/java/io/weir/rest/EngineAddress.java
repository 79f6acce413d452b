package io.weir.rest;

import java.net.URI;
import java.util.Map;
import java.util.Optional;

/**
 * Where a search engine answers, as options spell it: {@code URL} of OpenSearch or Elasticsearch,
 * {@code solr:URL} of Solr.
 *
 * @param isSolr whether it is Solr
 * @param url without a name and a password
 * @param login what the engine asks for; empty if it asks for nothing
 */
public record EngineAddress(boolean isSolr, URI url, Optional<Login> login) {

  private static final String SOLR = "solr:";

  /**
   * The address that a user gave.
   *
   * @param given may hold a name and a password, which go before those of the environment
   * @param environment the environment variables of this process
   */
  public static EngineAddress of(URI given, Map<String, String> environment) {
    boolean isSolr = given.toString().startsWith(SOLR);
    URI url = isSolr ? URI.create(given.getRawSchemeSpecificPart()) : given;
    return new EngineAddress(
        isSolr,
        withPath(url, url.getRawPath()),
        Optional.ofNullable(url.getUserInfo())
            .map(Login::ofUserInfo)
            .or(() -> Login.ofEnvironment(environment)));
  }

  /** Whether a server can be asked there: {@code http} or {@code https}, and a host. */
  public static boolean canBeAsked(URI url) {
    return ("http".equalsIgnoreCase(url.getScheme()) || "https".equalsIgnoreCase(url.getScheme()))
        && url.getHost() != null;
  }

  /** The same node, with another path and without user info; as it is without a host. */
  public static URI withPath(URI url, String path) {
    if (url.getHost() == null) {
      return url;
    }
    String authority = url.getRawAuthority();
    return URI.create(
        "%s://%s%s"
            .formatted(url.getScheme(), authority.substring(authority.lastIndexOf('@') + 1), path));
  }
}
