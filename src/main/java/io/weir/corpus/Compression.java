package io.weir.corpus;

import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.apache.commons.compress.compressors.CompressorException;
import org.apache.commons.compress.compressors.CompressorStreamFactory;

/**
 * The compression of a file, recognized by its first bytes.
 *
 * <p>One thread decompresses: 100 MB of text a second or more from gzip and zstd, 30 from xz, but
 * only 10 from bzip2, which may slow down indexing.
 */
enum Compression {
  NONE(1) {
    @Override
    InputStream unpack(InputStream packed) {
      return packed;
    }
  },
  GZIP(3, 0x1f, 0x8b, 0x08) {
    @Override
    InputStream unpack(InputStream packed) throws IOException {
      return unpack(CompressorStreamFactory.GZIP, packed);
    }
  },
  BZIP2(4, 'B', 'Z', 'h') {
    @Override
    InputStream unpack(InputStream packed) throws IOException {
      return unpack(CompressorStreamFactory.BZIP2, packed);
    }

    /**
     * A text may begin with these letters, so the magic number of a block or of the end must
     * follow.
     */
    @Override
    boolean begins(byte[] head) {
      return super.begins(head)
          && head.length >= 10
          && head[3] >= '1'
          && head[3] <= '9'
          && (Arrays.equals(head, 4, 10, BZIP2_BLOCK, 0, 6)
              || Arrays.equals(head, 4, 10, BZIP2_END, 0, 6));
    }
  },
  XZ(4, 0xfd, '7', 'z', 'X', 'Z', 0x00) {
    @Override
    InputStream unpack(InputStream packed) throws IOException {
      return unpack(CompressorStreamFactory.XZ, packed);
    }
  },
  ZSTD(3, 0x28, 0xb5, 0x2f, 0xfd) {
    @Override
    InputStream unpack(InputStream packed) throws IOException {
      return unpack(CompressorStreamFactory.ZSTANDARD, packed);
    }
  };

  /** The number of first bytes that identify every kind. */
  static final int HEAD_BYTES = 16;

  // Pi and its square root as binary-coded decimals, as the format defines.
  private static final byte[] BZIP2_BLOCK = {0x31, 0x41, 0x59, 0x26, 0x53, 0x59};
  private static final byte[] BZIP2_END = {0x17, 0x72, 0x45, 0x38, 0x50, (byte) 0x90};

  private static final int PACKED_BUFFER_BYTES = 1 << 18;

  /** A read that meets damage gives back nothing of its piece, so pieces are short. */
  static final int PIECE_BYTES = 1 << 10;

  /** An archive that needs more memory for decompression is refused. */
  private static final int MAX_MEMORY_KIB = 512 << 10;

  private final int factor;
  private final byte[] magic;

  Compression(int factor, int... magic) {
    this.factor = factor;
    this.magic = new byte[magic.length];
    for (int i = 0; i < magic.length; i++) {
      this.magic[i] = (byte) magic[i];
    }
  }

  /**
   * The kind identified by the first {@link #HEAD_BYTES} bytes of a file, or by all if it is
   * shorter.
   */
  static Compression of(byte[] head) {
    for (Compression compression : values()) {
      if (compression != NONE && compression.begins(head)) {
        return compression;
      }
    }
    return NONE;
  }

  /**
   * The unpacked bytes of a file of this kind, every member of a concatenation in turn. Where the
   * file is damaged, at most the last {@value #PIECE_BYTES} bytes before the damage are missing.
   * Closing it closes the file.
   */
  InputStream open(Path file) throws IOException {
    InputStream packed = Files.newInputStream(file);
    try {
      return this == NONE
          ? packed
          : new ShortReads(unpack(new BufferedInputStream(packed, PACKED_BUFFER_BYTES)));
    } catch (IOException | RuntimeException | Error e) {
      packed.close();
      throw e;
    }
  }

  /**
   * The typical compression ratio of natural text with markup at each format's usual settings.
   * Synthetic text is random and has a lower ratio: 2.1 to 2.6.
   */
  int factor() {
    return factor;
  }

  abstract InputStream unpack(InputStream packed) throws IOException;

  boolean begins(byte[] head) {
    return head.length >= magic.length
        && Arrays.equals(head, 0, magic.length, magic, 0, magic.length);
  }

  private static final class ShortReads extends FilterInputStream {

    ShortReads(InputStream in) {
      super(in);
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      return in.read(bytes, offset, Math.min(length, PIECE_BYTES));
    }
  }

  static InputStream unpack(String format, InputStream packed) throws IOException {
    try {
      return new CompressorStreamFactory(true, MAX_MEMORY_KIB)
          .createCompressorInputStream(format, packed);
    } catch (CompressorException e) {
      throw e.getCause() instanceof IOException cause ? cause : new IOException(e.getMessage(), e);
    }
  }
}
