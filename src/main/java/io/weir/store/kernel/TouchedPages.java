package io.weir.store.kernel;

import io.weir.procfs.MappedFile;
import io.weir.procfs.Procfs;
import io.weir.time.OnceLog;
import java.io.EOFException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
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

  private static final Path PAGE_TABLES = Path.of("/proc/self/pagemap");

  /** Of the process's tables that one read returns: those of 32 MiB, with pages of 4 KiB. */
  private static final int CHUNK_BYTES = 64 << 10;

  private static final OnceLog DENIAL = new OnceLog(TouchedPages.class);

  private final int pageBytes;
  private final Map<String, List<MappedFile>> mappings;

  private TouchedPages(int pageBytes, Map<String, List<MappedFile>> mappings) {
    this.pageBytes = pageBytes;
    this.mappings = mappings;
  }

  /** Those of the mappings that this process has now. */
  public static TouchedPages now(int pageBytes) {
    return new TouchedPages(
        pageBytes,
        Procfs.SYSTEM.mappedFiles().orElse(List.of()).stream()
            .collect(Collectors.groupingBy(MappedFile::path)));
  }

  /** The touched pages of a part of a file; empty if that is not known. */
  public Optional<CachedPages> look(Path file, long offset, long length) {
    try {
      List<MappedFile> ofFile = mappings.get(file.toRealPath().toString());
      return ofFile == null ? Optional.empty() : Optional.of(look(ofFile, offset, length));
    } catch (IOException | RuntimeException e) {
      DENIAL.log(
          Level.INFO, "which pages readers touch is not known, so what is cached counts: " + e);
      return Optional.empty();
    }
  }

  private CachedPages look(List<MappedFile> ofFile, long offset, long length) throws IOException {
    long firstPage = offset / pageBytes;
    BitSet touched =
        new BitSet(Math.toIntExact(Math.ceilDiv(offset + length, pageBytes) - firstPage));
    try (FileChannel tables = FileChannel.open(PAGE_TABLES)) {
      for (MappedFile mapping : ofFile) {
        long from = Math.max(firstPage * pageBytes, mapping.offset());
        long to = Math.min(offset + length, mapping.offset() + mapping.bytes());
        if (from < to) {
          long page = from / pageBytes - firstPage;
          mark(tables, mapping.address() + from - mapping.offset(), to - from, touched, page);
        }
      }
    }
    return new CachedPages(offset, length, pageBytes, touched);
  }

  /** Marks the pages that the tables have from an address on; {@code first} is its page. */
  private void mark(FileChannel tables, long address, long bytes, BitSet touched, long first)
      throws IOException {
    long at = address / pageBytes * Long.BYTES;
    long left = Math.ceilDiv(bytes, pageBytes);
    int page = Math.toIntExact(first);
    ByteBuffer entries = ByteBuffer.allocate(CHUNK_BYTES).order(ByteOrder.nativeOrder());
    while (left > 0) {
      entries.clear().limit((int) Math.min(CHUNK_BYTES, left * Long.BYTES));
      int count = tables.read(entries, at) / Long.BYTES;
      if (count <= 0) {
        throw new EOFException(PAGE_TABLES + " ends at " + at);
      }
      entries.flip();
      for (int i = 0; i < count; i++, page++) {
        if (entries.getLong() < 0) { // bit 63: present
          touched.set(page);
        }
      }
      at += (long) count * Long.BYTES;
      left -= count;
    }
  }
}
