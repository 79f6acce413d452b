package io.weir.why;

import io.weir.lucene.SegmentFiles;
import io.weir.procfs.FileMappings;
import io.weir.procfs.Procfs;
import io.weir.store.kernel.CachedPages;
import io.weir.store.kernel.ForeignLinuxCalls;
import io.weir.store.kernel.LinuxCalls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The indexes that a process has open: found by the names of the files that it has mapped or open.
 * It reads names, sizes and what is in the page cache, and opens no file for its content.
 *
 * <p><b>Threads:</b> one. <b>Failure:</b> what cannot be read is a sentence of {@link #unseen}.
 */
final class IndexFiles {

  /** {@code _3f.cfs}, {@code _3f_Lucene104_0.tim}, {@code _3f_1.liv}. */
  private static final Pattern NAME = Pattern.compile("_[0-9a-z]+(_[0-9A-Za-z_]+)?\\.[a-z]{2,4}");

  private static final Pattern LIBRARY =
      Pattern.compile(
          "(lucene-core|opensearch|elasticsearch|solr-core)-([0-9][0-9A-Za-z.+-]*)\\.jar");

  /** Which pages are cached is asked for files of so much in all; each GiB takes milliseconds. */
  private static final long MOST_CACHED_BYTES = 64L << 30;

  private static final int MOST_INDEXES = 200;
  private static final int MOST_FILES = 20_000;
  private static final double MEGABYTE = 1e6;

  private final Path root;
  private final List<Path> directories;
  private final List<String> unseen = new ArrayList<>();
  private final Map<String, String> libraries = new LinkedHashMap<>();
  private final Map<Fact, Double> mapped = new LinkedHashMap<>();

  /** Looks for them. */
  IndexFiles(long pid, Procfs process) {
    this.root = Path.of("/proc", Long.toString(pid), "root");
    Optional<FileMappings> mappings = process.fileMappings();
    List<String> open = process.openFiles();
    Set<String> found = new TreeSet<>();
    long bytes = 0;
    long random = 0;
    if (mappings.isEmpty()) {
      unseen.add("The mapped files of the process, and their advice: its smaps cannot be read.");
    } else {
      if (!mappings.get().isWhole()) {
        unseen.add("Mapped files beyond the first 4 MB of the process' smaps.");
      }
      for (FileMappings.One one : mappings.get().mappings()) {
        if (add(found, one.path())) {
          bytes += one.bytes();
          random += one.advice() == FileMappings.Advice.RANDOM ? one.bytes() : 0;
        }
      }
      OptionalLong most = process.memorySetting("max_map_count");
      if (most.isPresent() && mappings.get().isWhole()) {
        mapped.put(
            Fact.MAPPED_OF_MOST, 100.0 * mappings.get().mappings().size() / most.getAsLong());
      }
    }
    if (bytes > 0) {
      mapped.put(Fact.MAPPED_RANDOM, 100.0 * random / bytes);
    }
    open.forEach(
        name -> {
          add(found, name);
          var library = LIBRARY.matcher(name);
          if (library.find()) {
            libraries.putIfAbsent(library.group(1), library.group(2));
          }
        });
    this.directories = found.stream().limit(MOST_INDEXES).map(Path::of).toList();
    if (found.size() > MOST_INDEXES) {
      unseen.add(
          "%d of %d indexes: it looks at %d."
              .formatted(found.size() - MOST_INDEXES, found.size(), MOST_INDEXES));
    }
    if (found.isEmpty()) {
      unseen.add("The index on disk: the process has no file of one mapped or open.");
    }
  }

  private static boolean add(Set<String> directories, String path) {
    int slash = path.lastIndexOf('/');
    if (slash <= 0 || !NAME.matcher(path.substring(slash + 1)).matches()) {
      return false; // also a file that was deleted, whose name ends otherwise
    }
    directories.add(path.substring(0, slash));
    return true;
  }

  /** As the process sees them. */
  List<Path> directories() {
    return directories;
  }

  /** Versions by the name of the library: {@code lucene-core}, {@code opensearch}. */
  Map<String, String> libraries() {
    return libraries;
  }

  List<String> unseen() {
    return unseen;
  }

  /** What is to be said of them now. */
  Map<Fact, Double> facts() {
    Map<Fact, Double> facts = new LinkedHashMap<>();
    if (directories.isEmpty()) {
      facts.putAll(mapped);
      return facts;
    }
    long bytes = 0;
    long most = 0;
    List<Path> files = new ArrayList<>();
    for (Path directory : directories) {
      Path here = root.resolve(Path.of("/").relativize(directory));
      try (Stream<Path> names = Files.list(here)) {
        long segments = 0;
        for (Path file : (Iterable<Path>) names.limit(MOST_FILES)::iterator) {
          segments += SegmentFiles.isSegmentInfo(file.getFileName().toString()) ? 1 : 0;
          bytes += size(file);
          files.add(file);
        }
        most = Math.max(most, segments);
      } catch (IOException | UncheckedIOException e) {
        unseen.add("The files of the index %s: they may not be listed.".formatted(directory));
        return facts;
      }
    }
    facts.put(Fact.INDEXES, (double) directories.size());
    facts.put(Fact.SEGMENTS, (double) most);
    facts.put(Fact.INDEX_BYTES, bytes / MEGABYTE);
    cached(files, bytes).ifPresent(share -> facts.put(Fact.INDEX_CACHED, share));
    facts.putAll(mapped);
    return facts;
  }

  /** A merge may delete it meanwhile. */
  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (IOException e) {
      return 0;
    }
  }

  private Optional<Double> cached(List<Path> files, long bytes) {
    Optional<String> reason = ForeignLinuxCalls.reasonAgainst();
    if (reason.isPresent() || bytes > MOST_CACHED_BYTES) {
      unseen.add(
          "The share of the index in the page cache: "
              + reason.orElse("it is asked of indexes of up to 64 GiB")
              + ".");
      return Optional.empty();
    }
    LinuxCalls calls = ForeignLinuxCalls.get();
    long asked = 0;
    long cached = 0;
    for (Path file : files) {
      try (FileChannel channel = FileChannel.open(file)) {
        long length = channel.size();
        if (length > 0) {
          cached += CachedPages.look(calls, channel, 0, length).bytes();
          asked += length;
        }
      } catch (IOException e) {
        // A merge has deleted it.
      }
    }
    return asked == 0 ? Optional.empty() : Optional.of(100.0 * cached / asked);
  }
}
