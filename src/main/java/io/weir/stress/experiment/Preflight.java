package io.weir.stress.experiment;

import io.weir.corpus.DocumentSource;
import io.weir.corpus.DocumentSources;
import io.weir.procfs.MemInfo;
import io.weir.procfs.Procfs;
import io.weir.run.FailureWords;
import io.weir.run.Noise;
import io.weir.run.RunWarning;
import io.weir.stress.experiment.StressException.Kind;
import io.weir.stress.index.DocumentVectors;
import io.weir.stress.index.IndexStamp;
import io.weir.stress.plan.Arm;
import io.weir.stress.plan.Documents;
import io.weir.stress.plan.IndexLayout;
import io.weir.stress.plan.StressPlan;
import io.weir.stress.plan.Telemetry;
import io.weir.stress.setting.ArmSetting;
import io.weir.time.NanoClock;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

/**
 * What is checked before anything is begun, so that a run that cannot work costs nothing.
 *
 * <p><b>Failure:</b> {@link StressException} of kind usage, one line each.
 */
public final class Preflight {

  /**
   * Bytes of index for a byte of text: stored text, compressed, and postings with positions. Real
   * text measured 0.7 to 1.0 here; the estimate is on the safe side.
   */
  private static final double INDEX_BYTES_PER_TEXT_BYTE = 1.2;

  /** Bytes of index for a byte of a vector's floats: those, their graph, and a smaller form. */
  private static final double INDEX_BYTES_PER_VECTOR_BYTE = 1.6;

  /**
   * When only so many documents of a large source are wanted, how long they are on average at most:
   * source files of the Linux kernel have 15 KB, Wikipedia's articles less.
   */
  private static final long MOST_MEAN_DOCUMENT_BYTES = 20_000;

  /** Building merges on the way, so for a moment it holds parts twice. */
  private static final double BUILDING_FACTOR = 2;

  /** A large merge writes the whole index once more before it lets go of the old one. */
  private static final double MERGING_FACTOR = 1.1;

  /** For updates, samples, logs and everybody else on this disk. */
  private static final long RESERVE_BYTES = 256L << 20;

  /** What a run that ended while it was building leaves behind. */
  private static final Set<String> NOTHING_BUT_LOCK = Set.of(IndexWriter.WRITE_LOCK_NAME);

  private static final int MOST_CONNECTING_MILLIS = 5_000;

  /** The first that can load the classes of Weir. */
  private static final int LEAST_JAVA = 21;

  /** Far more than any JVM takes to start. */
  private static final int MOST_ASKING_SECONDS = 20;

  /** Such as {@code openjdk version "21.0.5"}, or {@code java version "1.8.0_392"}. */
  private static final Pattern JAVA_VERSION = Pattern.compile("version \"(?:1\\.)?([0-9]{1,4})");

  private Preflight() {}

  /** The run directory must be empty or not there. */
  public static void requireEmptyOut(Path out) throws StressException {
    try (Stream<Path> files = Files.list(out)) {
      if (files.findAny().isPresent()) {
        throw usage("--out must be an empty directory or not exist: " + out);
      }
    } catch (NotDirectoryException e) {
      throw usage(
          "--out must be a directory, %s is a file: %s"
              .formatted(Files.exists(out) ? "this" : "a part of this path", out));
    } catch (NoSuchFileException e) {
      // It will be made.
    } catch (IOException e) {
      throw usage("--out cannot be read: " + FailureWords.of(e));
    }
  }

  /** How quiet the machine is, before anything of the run makes noise itself. */
  static Noise requireQuiet(boolean strict, Procfs procfs) throws StressException {
    Noise noise = ControlJvm.before(procfs, NanoClock.SYSTEM);
    if (strict && noise.isNoisy()) {
      throw new StressException(
          Kind.NOISY,
          "the machine is too noisy for --strict: "
              + noise.findings().stream().map(RunWarning::what).collect(Collectors.joining("; ")));
    }
    return noise;
  }

  /**
   * The port for meters must be free, because each arm in turn listens there, and a collector must
   * listen at its address.
   */
  static void requireReachable(Telemetry telemetry) throws StressException {
    if (telemetry.metricsPort().isPresent()) {
      requireFree(telemetry.metricsPort().get());
    }
    if (telemetry.otlpUrl().isPresent()) {
      requireCollector(telemetry.otlpUrl().get());
    }
  }

  private static void requireFree(int port) throws StressException {
    try {
      new ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close();
    } catch (IOException e) {
      throw usage(
          "--metrics-port must be a free port: %d (%s)".formatted(port, FailureWords.of(e)));
    }
  }

  private static void requireCollector(URI address) throws StressException {
    try (Socket socket = new Socket()) {
      URL url = address.toURL();
      int port = url.getPort() < 0 ? url.getDefaultPort() : url.getPort();
      socket.connect(new InetSocketAddress(url.getHost(), port), MOST_CONNECTING_MILLIS);
    } catch (IOException | IllegalArgumentException e) { // the latter for a port out of range
      throw usage(
          "--otlp-url must be the address of a collector: %s (%s)"
              .formatted(address, FailureWords.of(e)));
    }
  }

  /**
   * Starts the {@code java} that each arm names, to ask for its version, and looks for its Lucene.
   *
   * @param arms those without one have the JVM that runs this, and its Lucene
   */
  public static void requireJvms(List<Arm> arms) throws StressException {
    Set<String> fit = new HashSet<>();
    for (Arm arm : arms) {
      LuceneJars.require(arm);
      Optional<String> java = arm.settings().get(ArmSetting.JVM);
      if (java.isPresent() && fit.add(java.get())) {
        Optional<String> obstacle = obstacle(java.get());
        if (obstacle.isPresent()) {
          throw usage(
              "arm %s: jvm must be a Java of version %d or newer: %s (%s)"
                  .formatted(arm.name(), LEAST_JAVA, java.get(), obstacle.get()));
        }
      }
    }
  }

  /** Why a program is no Java that can run Weir; empty if it is one. */
  private static Optional<String> obstacle(String java) throws StressException {
    try {
      Process asked = new ProcessBuilder(java, "-version").redirectErrorStream(true).start();
      try {
        asked.getOutputStream().close();
        if (!asked.waitFor(MOST_ASKING_SECONDS, TimeUnit.SECONDS)) {
          return Optional.of("it has said no version for " + MOST_ASKING_SECONDS + " s");
        }
        Matcher version =
            JAVA_VERSION.matcher(
                new String(asked.getInputStream().readNBytes(1 << 12), StandardCharsets.UTF_8));
        if (!version.find()) {
          return Optional.of("it says no version");
        }
        int feature = Integer.parseInt(version.group(1));
        return feature < LEAST_JAVA ? Optional.of("its version is " + feature) : Optional.empty();
      } finally {
        asked.destroyForcibly();
      }
    } catch (IOException e) {
      return Optional.of(FailureWords.of(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StressException(
          Kind.BROKEN, "interrupted while " + java + " was asked for its version");
    }
  }

  /** The documents and their vectors must be there and of a known form. */
  public static DocumentSource requireDocuments(Documents wanted, ExperimentListener listener)
      throws StressException {
    try {
      DocumentSource source = DocumentSources.parse(wanted.source(), wanted.seed());
      if (!source.leftOut().isEmpty()) {
        listener.leavesOut(source.leftOut());
      }
      DocumentVectors.of(wanted).requireDirections();
      return source;
    } catch (IllegalArgumentException e) {
      throw usage(e.getMessage());
    } catch (IOException e) {
      throw usage("--vectors must be a file that can be read: " + FailureWords.of(e));
    }
  }

  /**
   * What is in the place of the index: empty when there is nothing yet; its stamp when it was built
   * from the wanted documents in this layout. Anything else is refused.
   */
  static Optional<IndexStamp> requireFitting(StressPlan plan, Path index, IndexLayout layout)
      throws StressException {
    if (!Files.exists(index)) {
      return Optional.empty();
    }
    if (!Files.isDirectory(index)) {
      throw usage("--index must be a directory, this is a file: " + index);
    }
    try (Directory directory = FSDirectory.open(index)) {
      if (!DirectoryReader.indexExists(directory)) {
        List<String> files = List.of(directory.listAll());
        if (files.contains(IndexWriter.WRITE_LOCK_NAME)) {
          IndexLock.hold(index).close(); // perhaps another run is building there right now
        }
        if (!NOTHING_BUT_LOCK.containsAll(files)) {
          throw usage(
              "--index must hold an index or nothing, there are other files in it: " + index);
        }
        return Optional.empty();
      }
      IndexLock.hold(index).close();
      IndexStamp stamp =
          IndexStamp.read(directory)
              .orElseThrow(
                  () -> usage("--index holds an index that weir stress did not build: " + index));
      if (!stamp.matches(plan.documents())) {
        throw usage(
            "--index holds %s, this run asks for %s: choose another --index, or delete %s"
                .formatted(stamp, plan.documents(), index));
      }
      DirectoryReader.open(directory).close(); // each of its files is there and whole, at a glance
      if (!stamp.layout().equals(layout)) {
        throw usage(
            "--index DIR must hold the index that Lucene writes by default, and DIR-resident,"
                + " DIR-compound and so on those for other settings; in "
                + index
                + " it is the wrong one");
      }
      return Optional.of(stamp);
    } catch (IOException | IllegalArgumentException e) { // the latter for a codec that is not here
      throw usage("--index cannot be read as an index: " + index + " (" + FailureWords.of(e) + ")");
    }
  }

  /**
   * There must be room for the indexes still to be made, and for one large merge of one.
   *
   * @param index one that is there, if any is; else the first that will be
   * @param built whether it is there; else it is the first to be made, from the documents
   * @param toMake how many are to be made, all of about the same size
   */
  static void requireDisk(
      StressPlan plan, DocumentSource source, Path index, boolean built, int toMake)
      throws StressException, IOException {
    requireDisk(plan, source, index, built, toMake, nearestExisting(index).toFile());
  }

  static void requireDisk(
      StressPlan plan, DocumentSource source, Path index, boolean built, int toMake, File place)
      throws StressException, IOException {
    OptionalLong indexBytes = indexBytes(plan, source, index, built);
    if (indexBytes.isEmpty()) {
      return;
    }
    long neededBytes = neededBytes(indexBytes.getAsLong(), built, toMake);
    long usableBytes = place.getUsableSpace(); // a FileStore would need /proc
    if (usableBytes < neededBytes) {
      throw usage(
          "the disk of %s must have %d MB free for %s and a merge of it: %d MB"
              .formatted(
                  index,
                  megabytes(neededBytes),
                  (built ? "this index" : "an index of these documents")
                      + (toMake > (built ? 0 : 1) ? ", another one of its size" : ""),
                  megabytes(usableBytes)));
    }
  }

  /** How large an index is or is expected to be; empty where that is unknown before it is built. */
  static OptionalLong indexBytes(StressPlan plan, DocumentSource source, Path index, boolean built)
      throws IOException {
    return built ? OptionalLong.of(sizeOf(index)) : estimate(plan, source);
  }

  /** What must be free for making indexes of this size and for one large merge. */
  static long neededBytes(long indexBytes, boolean built, int toMake) {
    return RESERVE_BYTES
        + (long) (indexBytes * Math.max(built ? 0 : BUILDING_FACTOR, toMake + MERGING_FACTOR));
  }

  /** What is free where an index is or will be. */
  static long usableBytes(Path index) {
    return nearestExisting(index).toFile().getUsableSpace();
  }

  /** What will be missing from the result on this machine. */
  static List<RunWarning> missing(Procfs procfs) {
    List<RunWarning> warnings = new ArrayList<>();
    if (procfs.memInfo().map(MemInfo::dirtyBytes).orElse(OptionalLong.empty()).isEmpty()) {
      warnings.add(
          new RunWarning(
              "dirty pages are not measured: /proc/meminfo cannot be read or has no Dirty",
              "not Linux, or /proc is not mounted",
              "run on Linux with /proc to see them"));
    }
    return warnings;
  }

  /** The bytes of all files below a directory. */
  static long sizeOf(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(Files::isRegularFile).mapToLong(f -> f.toFile().length()).sum();
    }
  }

  private static OptionalLong estimate(StressPlan plan, DocumentSource source) throws IOException {
    if (source.textBytes().isEmpty()) {
      return OptionalLong.empty();
    }
    double textBytes = source.textBytes().getAsLong();
    long wanted = plan.documents().maxDocuments();
    if (wanted > 0 && source.documentCount().isPresent()) {
      textBytes *= Math.min(1.0, (double) wanted / source.documentCount().getAsLong());
    } else if (wanted > 0) {
      textBytes = Math.min(textBytes, (double) wanted * MOST_MEAN_DOCUMENT_BYTES);
    }
    long documents =
        LongStream.concat(LongStream.of(wanted), source.documentCount().stream())
            .filter(known -> known > 0)
            .min()
            .orElse(0);
    double vectorBytes = DocumentVectors.of(plan.documents()).bytes(documents);
    return OptionalLong.of(
        (long) (textBytes * INDEX_BYTES_PER_TEXT_BYTE + vectorBytes * INDEX_BYTES_PER_VECTOR_BYTE));
  }

  /** What there is already of a path: it, or the nearest directory above. */
  public static Path nearestExisting(Path path) {
    Path existing = path.toAbsolutePath();
    while (!Files.exists(existing)) {
      existing = existing.getParent();
    }
    return existing;
  }

  private static long megabytes(long bytes) {
    return bytes / 1_000_000;
  }

  private static StressException usage(String message) {
    return new StressException(Kind.USAGE, message);
  }
}
