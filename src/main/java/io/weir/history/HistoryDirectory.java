package io.weir.history;

import io.weir.run.RunJson;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A history as plain files: {@code runs/SERIES/TIME.json} for each run, {@code
 * notes/DATE-WORDS-CHECKSUM.json} for each note, both with a member a line. A file is written once
 * and never changed, so branches of a repository never both change one.
 *
 * <p><b>Threads:</b> any, and any processes: of two that add a file of one name, one fails.
 *
 * <p><b>Failure:</b> {@link HistoryException} for what the history cannot take.
 *
 * @param directory need not exist before something is added
 */
public record HistoryDirectory(Path directory) {

  private static final String SUFFIX = ".json";
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

  /** A note as a file holds it. */
  private record NoteFile(String date, String text) {
    Note note() {
      return new Note(LocalDate.parse(date), text);
    }
  }

  /**
   * Adds a run.
   *
   * @param run its directory
   * @param series the name of the runs that it belongs to; empty for the name of its command
   * @param at the moment to show it at; empty for its start
   * @param anyway whether it may differ in machine or work from those before
   * @return the file
   */
  public Path add(Path run, Optional<String> series, Optional<Instant> at, boolean anyway)
      throws HistoryException, IOException {
    HistoryEntry entry = RunReader.read(run, series, at);
    String name = entry.series();
    if (!name.matches("[A-Za-z0-9][A-Za-z0-9._-]*")) {
      throw new HistoryException(
          "a series must be named with letters, digits, dots, hyphens and underscores: " + name);
    }
    Path file = directory.resolve("runs").resolve(name).resolve(TIME.format(entry.at()) + SUFFIX);
    Optional<HistoryEntry> last = entries(name).reduce((a, b) -> b);
    List<String> differences = last.map(entry::differences).orElse(List.of());
    if (!anyway && !differences.isEmpty()) {
      throw new HistoryException(
          "runs of a series must have the same machine and work, but %s differs: %s (--series NAME keeps it apart, --anyway adds it here)"
              .formatted(run, String.join("; ", differences)));
    }
    return create(file, entry, "a run of that moment");
  }

  /**
   * Adds a note. Texts that differ in what a name of a file leaves out have different checksums.
   *
   * @return the file
   */
  public Path add(Note note) throws HistoryException, IOException {
    String words =
        note.text().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
    Path file =
        directory
            .resolve("notes")
            .resolve(
                "%s-%s%08x%s"
                    .formatted(
                        note.date(),
                        words.isEmpty() ? "" : words + "-",
                        note.text().hashCode(),
                        SUFFIX));
    return create(file, new NoteFile(note.date().toString(), note.text()), "that note");
  }

  /**
   * Makes a file that is not there yet, whole or not at all: a link to a complete file cannot
   * replace another file.
   *
   * @param what the history has if the file is there
   */
  private static Path create(Path file, Object content, String what)
      throws HistoryException, IOException {
    Path complete = file.resolveSibling(UUID.randomUUID() + ".tmp");
    RunJson.write(complete, content);
    try {
      try {
        Files.createLink(file, complete);
      } catch (FileAlreadyExistsException e) {
        throw e;
      } catch (FileSystemException | UnsupportedOperationException e) {
        Files.move(complete, file); // a file system without links
      }
    } catch (FileAlreadyExistsException e) {
      throw new HistoryException("the history has %s already: %s".formatted(what, file));
    } finally {
      Files.deleteIfExists(complete);
    }
    return file;
  }

  /** All runs by their series, each in the order of time. */
  public TreeMap<String, List<HistoryEntry>> runs() throws IOException {
    TreeMap<String, List<HistoryEntry>> runs = new TreeMap<>();
    for (Path series : list(directory.resolve("runs"))) {
      if (Files.isDirectory(series)) {
        String name = series.getFileName().toString();
        runs.put(name, entries(name).toList());
      }
    }
    runs.values().removeIf(List::isEmpty);
    return runs;
  }

  /** All notes in the order of their dates. */
  public List<Note> notes() throws IOException {
    List<Note> notes = new ArrayList<>();
    for (Path file : list(directory.resolve("notes"))) {
      if (file.getFileName().toString().endsWith(SUFFIX)) {
        notes.add(read(file, NoteFile.class, NoteFile::note));
      }
    }
    notes.sort(Comparator.comparing(Note::date));
    return notes;
  }

  private Stream<HistoryEntry> entries(String series) throws IOException {
    List<HistoryEntry> entries = new ArrayList<>();
    for (Path file : list(directory.resolve("runs").resolve(series))) {
      if (file.getFileName().toString().endsWith(SUFFIX)) {
        entries.add(read(file, HistoryEntry.class, Function.identity()));
      }
    }
    return entries.stream().sorted(Comparator.comparing(HistoryEntry::at));
  }

  private static <T, R> R read(Path file, Class<T> type, Function<T, R> meaning)
      throws IOException {
    try {
      return meaning.apply(RunJson.ofTree(RunJson.parse(Files.readString(file)), type));
    } catch (IOException | RuntimeException e) {
      throw new IOException("%s is not a file of a history: %s".formatted(file, e.getMessage()), e);
    }
  }

  private static List<Path> list(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files.sorted().toList();
    }
  }
}
