package io.weir.stress.experiment;

import io.weir.stress.experiment.StressException.Kind;
import io.weir.stress.plan.Arm;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.ArmSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.lucene.util.Version;

/**
 * The jars of another Lucene than the one of this JVM, for the JVM of an arm. {@code tools/engine
 * lucene VERSION} puts them where this looks: below {@code WEIR_ENGINES}, or the cache of the user.
 */
public final class LuceneJars {

  /** What runs use of Lucene. */
  private static final List<String> MODULES = List.of("lucene-core", "lucene-misc");

  private LuceneJars() {}

  /** What the libraries of this JVM are exchanged for; none for an arm on the same Lucene. */
  public static List<Path> of(ArmSettings settings) {
    return other(settings).map(LuceneJars::of).orElse(List.of());
  }

  private static Optional<Version> other(ArmSettings settings) {
    return settings.get(ArmSetting.LUCENE).filter(version -> !version.equals(Version.LATEST));
  }

  private static List<Path> of(Version version) {
    Path place = place(version);
    return MODULES.stream()
        .map(module -> place.resolve("%s-%s.jar".formatted(module, version)))
        .toList();
  }

  private static Path place(Version version) {
    return environment("WEIR_ENGINES")
        .map(Path::of)
        .or(() -> environment("XDG_CACHE_HOME").map(cache -> Path.of(cache, "weir", "engines")))
        .orElseGet(
            () ->
                Path.of(environment("HOME").orElse(System.getProperty("user.home")))
                    .resolve(Path.of(".cache", "weir", "engines")))
        .toAbsolutePath()
        .resolve("lucene-" + version)
        .resolve("lib");
  }

  private static Optional<String> environment(String name) {
    return Optional.ofNullable(System.getenv(name)).filter(value -> !value.isEmpty());
  }

  /** Refuses an arm whose Lucene is not here. */
  static void require(Arm arm) throws StressException {
    List<String> missing =
        of(arm.settings()).stream()
            .filter(jar -> !Files.isRegularFile(jar))
            .map(jar -> jar.getFileName().toString())
            .toList();
    if (!missing.isEmpty()) {
      Version version = other(arm.settings()).orElseThrow();
      throw new StressException(
          Kind.USAGE,
          "arm %s: lucene=%s needs %s in %s; tools/engine lucene:%s fetches %s"
              .formatted(
                  arm.name(),
                  version,
                  String.join(" and ", missing),
                  place(version),
                  version,
                  missing.size() == 1 ? "it" : "them"));
    }
  }
}
