package io.weir.opensearch;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.opensearch.common.settings.Settings;

/** Kinds of index that are untested with Weir: they are refused, with the reason. */
final class Unsupported {

  private static final Map<String, Predicate<Settings>> KINDS = new LinkedHashMap<>();

  static {
    KINDS.put(
        "a remote store (index.remote_store.enabled: true)",
        settings -> settings.getAsBoolean("index.remote_store.enabled", false));
    KINDS.put(
        "context-aware segments (index.context_aware.enabled: true)",
        settings -> settings.getAsBoolean("index.context_aware.enabled", false));
    KINDS.put(
        "pluggable data formats (index.pluggable.dataformat.enabled: true)",
        settings -> settings.getAsBoolean("index.pluggable.dataformat.enabled", false));
    KINDS.put(
        "pull-based ingestion (index.ingestion_source.type)",
        settings -> !settings.get("index.ingestion_source.type", "none").equalsIgnoreCase("none"));
  }

  private Unsupported() {}

  /** The kind to which an index with these settings belongs; empty if Weir supports it. */
  static Optional<String> kind(Settings settings) {
    return KINDS.entrySet().stream()
        .filter(kind -> kind.getValue().test(settings))
        .map(Map.Entry::getKey)
        .findFirst();
  }

  /**
   * Checks the settings of an index with Weir.
   *
   * @throws IllegalArgumentException if Weir does not support such an index
   */
  static void refuse(Settings settings) {
    kind(settings)
        .ifPresent(
            kind -> {
              throw new IllegalArgumentException(
                  "index.store.type: weir does not support "
                      + kind
                      + "; remove one of the two settings");
            });
  }
}
