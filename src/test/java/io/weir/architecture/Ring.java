package io.weir.architecture;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The table of packages in the design: what each may use besides the JDK and itself, and which
 * artifact it ships in. A package that is not here may not exist.
 */
public enum Ring {
  TIME("time", uses()),
  PROCFS("procfs", uses()),
  /** What a measured figure is; below all others, so that each source declares its own. */
  FIGURE("figure", uses()),
  RATE("rate", uses("time", "figure")),
  OPTION("option", uses("rate")),
  LUCENE("lucene", uses(), Library.LUCENE_CORE),
  STORE("store", uses("lucene", "rate", "procfs", "time", "figure"), Library.LUCENE_CORE),
  MERGE("merge", uses("lucene", "store", "rate", "procfs", "time", "figure"), Library.LUCENE_CORE),
  NRT("nrt", uses("lucene", "time", "figure"), Library.LUCENE_CORE),
  CONTROL("control", uses("merge", "nrt", "rate", "procfs", "time", "figure")),
  /** The package above all others, {@code io.weir} itself: the facade of the library. */
  FACADE(
      "", uses("time", "lucene", "rate", "store", "merge", "nrt", "control"), Library.LUCENE_CORE),
  METRICS("metrics", core("", "host"), Library.LUCENE_CORE, Library.MICROMETER),
  /** Of the meters, the record of its figures. */
  CACHE("cache", uses("lucene", "time", "metrics"), Library.LUCENE_CORE),
  JFR("jfr", core(), Library.LUCENE_CORE),
  JMX("jmx", core(), Library.LUCENE_CORE),
  HOST("host", uses("procfs", "figure"), Library.OSHI),
  CORPUS("corpus", uses(), Library.COMMONS_COMPRESS, Library.ZSTD),
  /** What any run left: one document, its reader and its writer. */
  RUN("run", uses("figure", "merge", "rate", "store"), Library.JACKSON),
  /** A search engine's public interface over HTTP. */
  REST("rest", uses("run"), Library.JACKSON),
  /** The JVMs that a run starts, and what it says to them. */
  JVM("jvm", uses("time", "run")),
  STRESS(
      "stress",
      core(
          "",
          "metrics",
          "jfr",
          "jmx",
          "host",
          "corpus",
          "run",
          "jvm",
          "rest",
          "exporter",
          "option"),
      Library.LUCENE,
      Library.MICROMETER,
      Library.HDR_HISTOGRAM,
      Library.JACKSON,
      Library.COMMONS_CSV,
      Library.COMMONS_STATISTICS),
  /** How much load an index bears: a service, a client, and the run between them. */
  LOAD(
      "load",
      uses("time", "procfs", "host", "figure", "run", "jvm", "rest", "stress"),
      Library.LUCENE,
      Library.HDR_HISTOGRAM,
      Library.JACKSON,
      Library.COMMONS_CSV),
  EXPORTER("exporter", uses("time", "metrics"), Library.MICROMETER, Library.PROMETHEUS),
  REPORT(
      "report",
      uses("merge", "figure", "run", "host"),
      Library.HDR_HISTOGRAM,
      Library.JACKSON,
      Library.COMMONS_CSV,
      Library.COMMONS_STATISTICS),
  INDEXING(
      "indexing",
      uses(
          "time", "procfs", "lucene", "option", "host", "corpus", "figure", "run", "jvm", "stress",
          "report"),
      Library.LUCENE,
      Library.JACKSON,
      Library.COMMONS_CSV,
      Library.COMMONS_STATISTICS),
  HISTORY("history", uses("figure", "run", "report"), Library.JACKSON, Library.COMMONS_CSV),
  /** What is slow in another process or a cluster; what it saw, and what that means. */
  WHY(
      "why",
      uses("time", "procfs", "figure", "lucene", "store", "nrt", "run", "rest", "report"),
      Library.JACKSON),
  CLI(
      "cli",
      core(
          "",
          "metrics",
          "jfr",
          "jmx",
          "host",
          "corpus",
          "run",
          "rest",
          "stress",
          "load",
          "exporter",
          "report",
          "option",
          "indexing",
          "history",
          "why"),
      Library.LUCENE,
      Library.HDR_HISTOGRAM,
      Library.JACKSON,
      Library.COMMONS_CSV,
      Library.PICOCLI),
  /** What the plug-ins of engines share. */
  ENGINE("engine", core("metrics", "option"), Library.LUCENE_CORE, Library.MICROMETER),
  /** The plug-ins of engines, each a leaf. */
  OPENSEARCH(
      "opensearch",
      core("engine", "exporter"),
      Library.LUCENE,
      Library.MICROMETER,
      Library.PROMETHEUS,
      Library.OPENSEARCH),
  ELASTICSEARCH(
      "elasticsearch",
      core("engine"),
      Library.LUCENE_CORE,
      Library.MICROMETER,
      Library.ELASTICSEARCH),
  SOLR(
      "solr",
      core("engine", "metrics", "exporter", "jmx"),
      Library.LUCENE_CORE,
      Library.MICROMETER,
      Library.SOLR),
  /** For applications that cannot be changed; a leaf. */
  AGENT(
      "agent",
      core("", "metrics", "jmx", "exporter", "option"),
      Library.LUCENE_CORE,
      Library.MICROMETER,
      Library.BYTE_BUDDY);

  /** Below the root package; empty for the root itself. */
  private final String packageName;

  private final Set<String> packages;
  private final List<Library> libraries;

  Ring(String packageName, Set<String> packages, Library... libraries) {
    this.packageName = packageName;
    this.packages = packages;
    this.libraries = List.of(libraries);
  }

  /** The row of a package, {@code relativePackage} counted from the root package. */
  static Optional<Ring> of(String relativePackage) {
    String first = relativePackage.split("\\.", 2)[0];
    return Arrays.stream(values()).filter(ring -> ring.packageName.equals(first)).findFirst();
  }

  /** Those of all rows; the root package is called {@code io.weir}. */
  static List<String> packageNames() {
    return Arrays.stream(values())
        .map(ring -> ring.packageName.isEmpty() ? "io.weir" : ring.packageName)
        .toList();
  }

  /** Whether this package is in a jar that applications depend on. */
  public boolean isForApplications() {
    return !isInCommandLine() && !isInLeaf();
  }

  /** Whether this package is in the library's jar. */
  public boolean isInLibrary() {
    return isForApplications() && !isInQueryCache();
  }

  /** Whether this package is in the jar of the query cache, which needs the library's. */
  public boolean isInQueryCache() {
    return this == CACHE;
  }

  /** Whether this package is in the zip of a plug-in or in the agent's jar, and nowhere else. */
  private boolean isInLeaf() {
    return switch (this) {
      case ENGINE, OPENSEARCH, ELASTICSEARCH, SOLR, AGENT -> true;
      default -> false;
    };
  }

  /** Whether this package is in the jar of the command line. */
  public boolean isInCommandLine() {
    return switch (this) {
      case CORPUS, RUN, JVM, REST, STRESS, LOAD, REPORT, INDEXING, HISTORY, WHY, CLI -> true;
      default -> false;
    };
  }

  /** Whether applications may use this package: whether its module exports it. */
  public boolean isPublic() {
    return switch (this) {
      case LUCENE, HOST -> false;
      default -> isForApplications();
    };
  }

  /** The name of this package. */
  public String fullName() {
    return packageName.isEmpty() ? "io.weir" : "io.weir." + packageName;
  }

  /** The packages that this one may use, whole or in part. */
  Stream<Ring> mayUse() {
    return packages.stream().map(allowed -> of(allowed).orElseThrow());
  }

  boolean mayUsePackage(String relativePackage) {
    return of(relativePackage).filter(this::equals).isPresent()
        || packages.stream()
            .anyMatch(
                allowed ->
                    relativePackage.equals(allowed)
                        || !allowed.isEmpty() && relativePackage.startsWith(allowed + "."));
  }

  boolean mayUseLibrary(String className, String source) {
    return libraries.stream().anyMatch(library -> library.holds(className, source));
  }

  private static Set<String> uses(String... packages) {
    return Set.of(packages);
  }

  /** Rings 0 to 2, and more. */
  private static Set<String> core(String... more) {
    return Stream.concat(
            Stream.of(
                "time", "procfs", "figure", "lucene", "rate", "store", "merge", "nrt", "control"),
            Arrays.stream(more))
        .collect(java.util.stream.Collectors.toUnmodifiableSet());
  }

  /** What the pom brings. */
  private enum Library {
    /** Told by its jar: other modules of Lucene share its package names. */
    LUCENE_CORE("org.apache.lucene.", "/lucene-core-"),
    LUCENE("org.apache.lucene.", ""),
    MICROMETER("io.micrometer.", ""),
    BYTE_BUDDY("net.bytebuddy.", ""),
    PROMETHEUS("io.prometheus.", ""),
    OSHI("oshi.", ""),
    COMMONS_COMPRESS("org.apache.commons.compress.", ""),
    COMMONS_CSV("org.apache.commons.csv.", ""),
    COMMONS_STATISTICS("org.apache.commons.statistics.", ""),
    HDR_HISTOGRAM("org.HdrHistogram.", ""),
    JACKSON("com.fasterxml.jackson.", ""),
    PICOCLI("picocli.", ""),
    /** With the logger that its classes take. */
    OPENSEARCH("org.opensearch.", ""),
    ELASTICSEARCH("org.elasticsearch.", ""),
    SOLR("org.apache.solr.", ""),
    ZSTD("com.github.luben.zstd.", "");

    private final String classPrefix;
    private final String sourcePart;

    Library(String classPrefix, String sourcePart) {
      this.classPrefix = classPrefix;
      this.sourcePart = sourcePart;
    }

    boolean holds(String className, String source) {
      return className.startsWith(classPrefix) && source.contains(sourcePart);
    }
  }
}
