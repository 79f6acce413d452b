package io.weir.store.kernel;

import io.weir.procfs.MappedFile;
import io.weir.procfs.PageTables;
import io.weir.procfs.Procfs;
import io.weir.time.OnceLog;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The pages of files that this process has touched through its mappings, and that are still in the
 * page cache. Of what the page cache has of a file, these are what readers use: the rest was read
 * ahead for them, or was left by whoever wrote the file.
 *
 * <p>The kernel maps up to 16 pages around the one that was touched, if it has them.
 *
 * <p><b>Units:</b> bytes, from the beginning of the file. <b>Threads:</b> any. It knows the
 * mappings of the moment when it was made; to look touches no page.
 *
 * <p><b>Failure:</b> throws nothing. A file that is not mapped has no answer, nor has any where the
 * kernel's files cannot be read, which is logged once. A mapping that has gone meanwhile gives a
 * wrong one.
 *
 * <p>Source: Linux, {@code Documentation/admin-guide/mm/pagemap.rst}; {@code do_fault_around} in
 * {@code mm/memory.c}.
 */
public final class TouchedPages {

  private static final OnceLog DENIAL = new OnceLog(TouchedPages.class);

  /** Of this process, kept open; null before the first {@link #open} that succeeds. */
  private static volatile PageTables tables;

  private final int pageBytes;
  private final Map<String, List<MappedFile>> mappings;

  private TouchedPages(int pageBytes, Map<String, List<MappedFile>> mappings) {
    this.pageBytes = pageBytes;
    this.mappings = mappings;
  }

  /**
   * Opens the kernel's files for all later looks, unless they are open. Merges have callers that an
   * engine's security policy grants less, so whoever makes a directory does this.
   */
  public static synchronized void open() {
    if (tables == null) {
      tables = Procfs.SYSTEM.pageTables().orElse(null);
    }
  }

  /** Whether later looks have an answer, as far as known. */
  public static boolean isOpen() {
    return tables != null;
  }

  /** Those of the mappings that this process has now; none if that cannot be known. */
  public static TouchedPages now(int pageBytes) {
    PageTables open = tables;
    try {
      List<MappedFile> files = open == null ? List.of() : open.mappedFiles();
      return new TouchedPages(
          pageBytes, files.stream().collect(Collectors.groupingBy(MappedFile::path)));
    } catch (IOException | RuntimeException e) {
      denied(e);
      return new TouchedPages(pageBytes, Map.of());
    }
  }

  /** The touched pages of a part of a file; empty if that is not known. */
  public Optional<CachedPages> look(Path file, long offset, long length) {
    try {
      List<MappedFile> ofFile = mappings.get(file.toRealPath().toString());
      return ofFile == null ? Optional.empty() : Optional.of(look(ofFile, offset, length));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException | RuntimeException e) {
      denied(e);
      return Optional.empty();
    }
  }

  private static void denied(Exception e) {
    DENIAL.log(
        Level.INFO, "which pages readers touch is not known, so what is cached counts: " + e);
  }

  private CachedPages look(List<MappedFile> ofFile, long offset, long length) throws IOException {
    long firstPage = offset / pageBytes;
    BitSet touched =
        new BitSet(Math.toIntExact(Math.ceilDiv(offset + length, pageBytes) - firstPage));
    for (MappedFile mapping : ofFile) {
      long from = Math.max(firstPage * pageBytes, mapping.offset());
      long to = Math.min(offset + length, mapping.offset() + mapping.bytes());
      if (from < to) {
        int first = Math.toIntExact(from / pageBytes - firstPage);
        tables.present(
            (mapping.address() + from - mapping.offset()) / pageBytes,
            Math.ceilDiv(to - from, pageBytes),
            page -> touched.set(first + (int) page));
      }
    }
    return new CachedPages(offset, length, pageBytes, touched);
  }
}
