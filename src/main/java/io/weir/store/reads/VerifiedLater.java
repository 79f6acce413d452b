package io.weir.store.reads;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.store.ByteBuffersDataOutput;
import org.apache.lucene.store.ByteBuffersIndexInput;
import org.apache.lucene.store.ByteBuffersIndexOutput;
import org.apache.lucene.store.IndexInput;

/**
 * What Lucene verifies in place of a file whose verification is put off: a footer with the checksum
 * of nothing before it.
 *
 * <p>Source: Lucene 10.5.1, {@code CodecUtil.checksumEntireFile}, which reads all of the clone that
 * it makes and uses nothing of it but the footer at its end.
 */
final class VerifiedLater {

  private static final ByteBuffersDataOutput FOOTER = footer();

  private VerifiedLater() {}

  /** An input of its own. */
  static IndexInput input() {
    return new ByteBuffersIndexInput(FOOTER.toDataInput(), "verified when it is used");
  }

  private static ByteBuffersDataOutput footer() {
    ByteBuffersDataOutput bytes = new ByteBuffersDataOutput();
    try (ByteBuffersIndexOutput out = new ByteBuffersIndexOutput(bytes, "footer", "footer")) {
      CodecUtil.writeFooter(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes;
  }
}
