package io.weir.corpus;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import com.github.luben.zstd.util.Native;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.commons.compress.compressors.CompressorException;
import org.apache.commons.compress.compressors.CompressorStreamFactory;

/**
 * The compression of a file, recognized by its first bytes.
 *
 * <p>An archive is a row of members: those of gzip, the streams of bzip2 and xz, the frames of
 * zstd, also frames to skip. {@link #open} reads all of them. Zero bytes between and after members
 * are padding. What follows the last member and is no member is left out, as the formats' own tools
 * do.
 *
 * <p>One thread decompresses: 100 MB of text a second or more from gzip and zstd, 30 from xz, but
 * only 10 from bzip2, which may slow down indexing.
 */
enum Compression {
  NONE(1) {
    @Override
    InputStream member(InputStream packed) {
      return packed;
    }
  },
  GZIP(3, 0x1f, 0x8b, 0x08) {
    @Override
    InputStream member(InputStream packed) throws IOException {
      return decoder(CompressorStreamFactory.GZIP, packed);
    }
  },
  BZIP2(4, 'B', 'Z', 'h') {
    @Override
    InputStream member(InputStream packed) throws IOException {
      return decoder(CompressorStreamFactory.BZIP2, packed);
    }

    /**
     * A text may begin with these letters, so the magic number of a block or of the end must
     * follow. One byte of it may be damaged: no text resembles it so much, and the decoder then
     * says what is wrong.
     */
    @Override
    boolean begins(byte[] head) {
      return isMember(head)
          && head.length >= 10
          && head[3] >= '1'
          && head[3] <= '9'
          && (resembles(head, BZIP2_BLOCK) || resembles(head, BZIP2_END));
    }

    private static boolean resembles(byte[] head, byte[] number) {
      return IntStream.range(0, number.length).filter(i -> head[4 + i] != number[i]).count() <= 1;
    }
  },
  XZ(4, 0xfd, '7', 'z', 'X', 'Z', 0x00) {
    @Override
    InputStream member(InputStream packed) throws IOException {
      return decoder(CompressorStreamFactory.XZ, packed);
    }
  },
  ZSTD(3, 0x28, 0xb5, 0x2f, 0xfd) {
    @Override
    InputStream member(InputStream packed) throws IOException {
      return new ZstdFrame(packed);
    }

    /** Also a frame to skip, of which there are sixteen kinds; {@code pzstd} begins with one. */
    @Override
    boolean isMember(byte[] head) {
      return super.isMember(head)
          || head.length >= 4
              && (head[0] & 0xf0) == 0x50
              && Arrays.equals(head, 1, 4, ZSTD_SKIPPABLE, 0, 3);
    }
  };

  /** The number of first bytes that identify every kind. */
  static final int HEAD_BYTES = 16;

  // Pi and its square root as binary-coded decimals, as the format defines.
  private static final byte[] BZIP2_BLOCK = {0x31, 0x41, 0x59, 0x26, 0x53, 0x59};
  private static final byte[] BZIP2_END = {0x17, 0x72, 0x45, 0x38, 0x50, (byte) 0x90};

  /** The second to the fourth byte. Source: RFC 8878, 3.1.2. */
  private static final byte[] ZSTD_SKIPPABLE = {0x2a, 0x4d, 0x18};

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
   * The unpacked bytes of a file of this kind, every member in turn. Where the file is damaged, at
   * most the last {@value #PIECE_BYTES} bytes before the damage are missing. Closing it closes the
   * file.
   *
   * @param leftOut receives in words that something after the last member is no member
   */
  InputStream open(Path file, Consumer<String> leftOut) throws IOException {
    InputStream packed = Files.newInputStream(file);
    return this == NONE
        ? packed
        : new Members(this, new BufferedInputStream(packed, PACKED_BUFFER_BYTES), leftOut);
  }

  /**
   * The typical compression ratio of natural text with markup at each format's usual settings.
   * Synthetic text is random and has a lower ratio: 2.1 to 2.6.
   */
  int factor() {
    return factor;
  }

  /**
   * The unpacked bytes of the member that begins here. At its end, {@code packed} is at the first
   * byte after it.
   *
   * @param packed can be marked
   */
  abstract InputStream member(InputStream packed) throws IOException;

  /** Whether a file with these first bytes is of this kind. */
  boolean begins(byte[] head) {
    return isMember(head);
  }

  /** Whether a member of this kind begins with these bytes, in a file that is of this kind. */
  boolean isMember(byte[] head) {
    return head.length >= magic.length
        && Arrays.equals(head, 0, magic.length, magic, 0, magic.length);
  }

  private static InputStream decoder(String format, InputStream packed) throws IOException {
    try {
      return new CompressorStreamFactory(false, MAX_MEMORY_KIB)
          .createCompressorInputStream(format, packed);
    } catch (CompressorException e) {
      throw e.getCause() instanceof IOException cause ? cause : new IOException(e.getMessage(), e);
    }
  }

  /** A stream that is read in pieces. */
  private abstract static class Pieces extends InputStream {

    @Override
    public final int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public abstract int read(byte[] bytes, int offset, int length) throws IOException;
  }

  /**
   * All members of an archive. It finds their ends itself: the decoders would take what follows the
   * last one for damage, and would lose what they had unpacked before it.
   */
  private static final class Members extends Pieces {

    private final Compression compression;
    private final InputStream packed;
    private final Consumer<String> leftOut;

    /** Absent before the first one. */
    private InputStream member;

    private boolean ended;
    private boolean closed;

    Members(Compression compression, InputStream packed, Consumer<String> leftOut) {
      this.compression = compression;
      this.packed = packed;
      this.leftOut = leftOut;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      if (closed) {
        throw new ClosedChannelException();
      }
      while (!ended) {
        int read = member == null ? -1 : member.read(bytes, offset, Math.min(length, PIECE_BYTES));
        if (read > 0) {
          return read;
        }
        ended = !next();
      }
      return -1;
    }

    @Override
    public void close() throws IOException {
      closed = true;
      try (packed) {
        closeMember();
      }
    }

    /** Opens the next member; false if there is none. */
    private boolean next() throws IOException {
      if (member != null) {
        closeMember();
        skipZeros();
        byte[] head = head();
        if (!compression.isMember(head)) {
          if (head.length > 0) {
            leftOut.accept(
                "what follows the last member of the archive is left out, it is no "
                    + compression.name().toLowerCase(Locale.ROOT));
          }
          return false;
        }
      }
      member =
          compression.member(
              new FilterInputStream(packed) {
                @Override
                public void close() {
                  // The next member is behind this one.
                }
              });
      return true;
    }

    private void closeMember() throws IOException {
      if (member != null) {
        member.close();
      }
    }

    private byte[] head() throws IOException {
      packed.mark(HEAD_BYTES);
      byte[] head = packed.readNBytes(HEAD_BYTES);
      packed.reset();
      return head;
    }

    private void skipZeros() throws IOException {
      int next;
      do {
        packed.mark(1);
        next = packed.read();
      } while (next == 0);
      packed.reset();
    }
  }

  /**
   * One frame of zstd, or none of the bytes of a frame to skip. Unlike the library's own stream, it
   * reads no byte behind the frame.
   */
  private static final class ZstdFrame extends Pieces {

    private static final int WINDOW_LOG = 10 + Integer.numberOfTrailingZeros(MAX_MEMORY_KIB);

    private final InputStream packed;
    private final ZstdDecompressCtx decoder;
    private final byte[] chunk = new byte[1 << 13];

    /** What the decoder has not taken yet of the bytes since the mark. */
    private final ByteBuffer in = ByteBuffer.allocateDirect(chunk.length).flip();

    private final ByteBuffer out = ByteBuffer.allocateDirect(PIECE_BYTES).flip();
    private boolean ended;

    ZstdFrame(InputStream packed) throws IOException {
      this.packed = packed;
      try {
        Native.load();
      } catch (LinkageError e) {
        String reason = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
        throw new IOException(
            "zstd's native library must be loaded from the temporary directory, whose file system"
                + " must allow execution; JDK_JAVA_OPTIONS=-DZstdTempFolder=DIR names another: "
                + reason,
            e);
      }
      this.decoder = new ZstdDecompressCtx().setLongMax(WINDOW_LOG);
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      while (!out.hasRemaining() && !ended) {
        decode();
      }
      int read = Math.min(length, out.remaining());
      out.get(bytes, offset, read);
      return read == 0 ? -1 : read;
    }

    @Override
    public void close() {
      decoder.close();
    }

    private void decode() throws IOException {
      boolean more = in.hasRemaining() || fill();
      out.clear();
      try {
        ended = decoder.decompressDirectByteBufferStream(out, in);
      } catch (ZstdException e) {
        out.limit(0);
        throw new IOException("zstd: " + e.getMessage() + rule(Math.abs(e.getErrorCode())), e);
      }
      out.flip();
      if (ended) {
        packed.reset();
        packed.skipNBytes(in.position());
      } else if (!more && !out.hasRemaining()) {
        throw new EOFException("the zstd frame is cut short");
      }
    }

    private static String rule(long error) {
      if (error == Zstd.errFrameParameterWindowTooLarge()) {
        return "; the window must be at most " + (MAX_MEMORY_KIB >> 10) + " MiB";
      }
      return error == Zstd.errDictionaryWrong()
          ? "; the frame must be made without a dictionary"
          : "";
    }

    private boolean fill() throws IOException {
      packed.mark(chunk.length);
      int read = Math.max(0, packed.read(chunk));
      in.clear().put(chunk, 0, read).flip();
      return read > 0;
    }
  }
}
