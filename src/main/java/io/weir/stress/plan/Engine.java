package io.weir.stress.plan;

import java.util.Locale;
import java.util.Map;

/** A search engine that the stress test can start: what its distributions call things. */
public enum Engine {
  OPENSEARCH("OPENSEARCH", Map.of("index.store.type", "weir")),
  /** Its plug-in wraps the engine's own directory, so it leaves the store type alone. */
  ELASTICSEARCH("ES", Map.of("index.weir.enabled", "true"));

  private final String variablePrefix;
  private final Map<String, String> weirSettings;

  Engine(String variablePrefix, Map<String, String> weirSettings) {
    this.variablePrefix = variablePrefix;
    this.weirSettings = weirSettings;
  }

  /** As the command line and its scripts spell it: {@code opensearch}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** What starts the server, below the directory of the distribution. */
  public String script() {
    return "bin/" + label();
  }

  /** What installs plug-ins. */
  public String pluginScript() {
    return script() + "-plugin";
  }

  /** Its environment variable for {@code what}: {@code OPENSEARCH_JAVA_OPTS}. */
  public String variable(String what) {
    return variablePrefix + "_" + what;
  }

  /** The settings by which a closed index begins to use Weir's plug-in. */
  public Map<String, String> weirSettings() {
    return weirSettings;
  }
}
