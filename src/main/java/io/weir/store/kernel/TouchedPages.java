package io.weir.store.kernel;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

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
 * <p><b>Failure:</b> a file that is not mapped has no answer, nor has any where the kernel's files
 * cannot be read. A mapping that has gone meanwhile gives a wrong one.
 *
 * <p>Source: Linux, {@code Documentation/admin-guide/mm/pagemap.rst}; {@code do_fault_around} in
 * {@code mm/memory.c}.
 */
public final class TouchedPages {

  private static final Path MAPPINGS = Path.of("/proc/self/maps");
  private static final Path PAGE_TABLES = Path.of("/proc/self/pagemap");

  /** Of the process's tables that one read returns: those of 32 MiB, with pages of 4 KiB. */
  private static final int CHUNK_BYTES = 64 << 10;

  /** What a mapping of a file for reading, which others may share, looks like. */
  private static final String READ_SHARED = " r--s ";

  private static final int PATH_FIELD = 5;
  private static final int HEXADECIMAL = 16;

  /** A part of a file in the address space. */
  private record Mapping(long address, long offset, long bytes) {}

  private final int pageBytes;
  private final Map<String, List<Mapping>> mappings;

  private TouchedPages(int pageBytes, Map<String, List<Mapping>> mappings) {
    this.pageBytes = pageBytes;
    this.mappings = mappings;
  }

  /** Those of the mappings that this process has now. */
  public static TouchedPages now(LinuxCalls calls) throws IOException {
    Map<String, List<Mapping>> mappings = new HashMap<>();
    try (Stream<String> lines = Files.lines(MAPPINGS)) {
      lines.filter(line -> line.contains(READ_SHARED)).forEach(line -> add(line, mappings));
    }
    return new TouchedPages(calls.pageBytes(), mappings);
  }

  private static void add(String line, Map<String, List<Mapping>> mappings) {
    String[] fields = line.split(" +", PATH_FIELD + 1);
    if (fields.length > PATH_FIELD && fields[PATH_FIELD].startsWith("/")) {
      String[] ends = fields[0].split("-");
      long begin = Long.parseUnsignedLong(ends[0], HEXADECIMAL);
      long end = Long.parseUnsignedLong(ends[1], HEXADECIMAL);
      long offset = Long.parseLong(fields[2], HEXADECIMAL);
      mappings
          .computeIfAbsent(fields[PATH_FIELD], path -> new ArrayList<>())
          .add(new Mapping(begin, offset, end - begin));
    }
  }

  /** The touched pages of a part of a file; empty if this process does not map the file. */
  public Optional<CachedPages> look(Path file, long offset, long length) throws IOException {
    List<Mapping> ofFile = mappings.get(file.toRealPath().toString());
    if (ofFile == null) {
      return Optional.empty();
    }
    long firstPage = offset / pageBytes;
    BitSet touched =
        new BitSet(Math.toIntExact(Math.ceilDiv(offset + length, pageBytes) - firstPage));
    try (FileChannel tables = FileChannel.open(PAGE_TABLES)) {
      for (Mapping mapping : ofFile) {
        long from = Math.max(firstPage * pageBytes, mapping.offset());
        long to = Math.min(offset + length, mapping.offset() + mapping.bytes());
        if (from < to) {
          mark(
              tables,
              mapping.address() + from - mapping.offset(),
              to - from,
              touched,
              from / pageBytes - firstPage);
        }
      }
    }
    return Optional.of(new CachedPages(offset, length, pageBytes, touched));
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
