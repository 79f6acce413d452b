package io.weir.procfs;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * The open {@code maps} and {@code pagemap} files of a process (see proc_pid_maps(5) and
 * proc_pid_pagemap(5)). They are opened once, where that is permitted; what reads them later may
 * have callers that may open no such file.
 *
 * <p><b>Threads:</b> any; reads are serialized. An interrupt does not close it, as it would close a
 * channel. <b>Ownership:</b> two descriptors, until it is closed.
 */
public final class PageTables implements Closeable {

  /** Of the tables that one read returns: those of 32 MiB, with pages of 4 KiB. */
  private static final int CHUNK_BYTES = 64 << 10;

  /** Some 40,000 mappings; a process may have 65,530 by default. */
  private static final int MAX_MAPS_BYTES = 4 << 20;

  /** Takes the number of a page, from the first that was asked for. */
  @FunctionalInterface
  public interface Present {
    /** A page that the process has touched, and the kernel still has. */
    void page(long number);
  }

  private final RandomAccessFile maps;
  private final RandomAccessFile tables;
  private final byte[] chunk = new byte[CHUNK_BYTES]; // guarded by this

  private PageTables(RandomAccessFile maps, RandomAccessFile tables) {
    this.maps = maps;
    this.tables = tables;
  }

  static PageTables open(Path maps, Path tables) throws IOException {
    RandomAccessFile first = new RandomAccessFile(maps.toFile(), "r");
    try {
      return new PageTables(first, new RandomAccessFile(tables.toFile(), "r"));
    } catch (IOException | RuntimeException e) {
      first.close();
      throw e;
    }
  }

  /** The files that the process has mapped now: those in the first 4 MB of what the kernel says. */
  public synchronized List<MappedFile> mappedFiles() throws IOException {
    StringBuilder text = new StringBuilder();
    maps.seek(0);
    for (int count = maps.read(chunk);
        count > 0 && text.length() < MAX_MAPS_BYTES;
        count = maps.read(chunk)) {
      text.append(new String(chunk, 0, count, StandardCharsets.ISO_8859_1));
    }
    byte[] bytes = text.toString().getBytes(StandardCharsets.ISO_8859_1);
    return MappedFile.all(new String(bytes, StandardCharsets.UTF_8));
  }

  /**
   * The pages that the process has touched from an address on.
   *
   * @param page the number of the first in the address space
   * @param pages how many
   */
  public synchronized void present(long page, long pages, Present each) throws IOException {
    Objects.requireNonNull(each, "each");
    tables.seek(page * Long.BYTES);
    for (long done = 0; done < pages; ) {
      int wanted = (int) Math.min(CHUNK_BYTES, (pages - done) * Long.BYTES);
      int count = tables.read(chunk, 0, wanted) / Long.BYTES;
      if (count <= 0) {
        throw new EOFException("the tables of pages end at page " + (page + done));
      }
      ByteBuffer entries = ByteBuffer.wrap(chunk).order(ByteOrder.nativeOrder());
      for (int i = 0; i < count; i++) {
        if (entries.getLong() < 0) { // bit 63
          each.page(done + i);
        }
      }
      done += count;
    }
  }

  @Override
  public void close() throws IOException {
    try (maps) {
      tables.close();
    }
  }
}
