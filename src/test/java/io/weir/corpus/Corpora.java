package io.weir.corpus;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;
import org.apache.commons.compress.compressors.gzip.GzipCompressorOutputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorOutputStream;
import org.apache.commons.compress.compressors.zstandard.ZstdCompressorOutputStream;
import org.tukaani.xz.LZMA2Options;

/** What tests of this package share: packing, and reading to the end. */
final class Corpora {

  /** A dictionary of a mebibyte; that of the default takes longer to set up than all else. */
  private static final int XZ_PRESET = 1;

  private Corpora() {}

  static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static byte[] pack(Compression compression, byte[] content) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream out = packer(compression, packed)) {
      out.write(content);
    }
    return packed.toByteArray();
  }

  private static OutputStream packer(Compression compression, OutputStream packed)
      throws IOException {
    return switch (compression) {
      case NONE -> packed;
      case GZIP -> new GzipCompressorOutputStream(packed);
      case BZIP2 -> new BZip2CompressorOutputStream(packed);
      case XZ ->
          XZCompressorOutputStream.builder()
              .setOutputStream(packed)
              .setLzma2Options(new LZMA2Options(XZ_PRESET))
              .get();
      case ZSTD -> // as the tool writes it
          ZstdCompressorOutputStream.builder().setOutputStream(packed).setChecksum(true).get();
    };
  }

  static byte[] concat(byte[]... parts) {
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      whole.writeBytes(part);
    }
    return whole.toByteArray();
  }

  /** Reads to the end and closes. */
  static List<CorpusDocument> read(DocumentReader reader) throws IOException {
    try (reader) {
      List<CorpusDocument> documents = new ArrayList<>();
      for (CorpusDocument document; (document = reader.next()) != null; ) {
        documents.add(document);
      }
      return documents;
    }
  }

  static List<CorpusDocument> read(DocumentSource source, ReadProblems problems)
      throws IOException {
    return read(source.open(problems));
  }

  static List<String> titles(List<CorpusDocument> documents) {
    return documents.stream().map(CorpusDocument::title).toList();
  }

  /** A line file of synthetic documents. */
  static byte[] lines(int count) {
    SyntheticText text = new SyntheticText();
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < count; i++) {
      CorpusDocument document = text.document(1, i);
      lines.append(document.title()).append("\t15-JAN-2001 00:00:00.000\t");
      lines.append(document.body()).append('\n');
    }
    return utf8(lines.toString());
  }

  /** A dump of synthetic documents. */
  static byte[] wikipedia(int count) {
    SyntheticText text = new SyntheticText();
    StringBuilder xml = new StringBuilder("<mediawiki>\n");
    for (int i = 0; i < count; i++) {
      CorpusDocument document = text.document(1, i);
      xml.append("<page><title>").append(document.title()).append("</title><ns>0</ns><revision>");
      xml.append("<timestamp>2001-01-15T00:00:00Z</timestamp><text>").append(document.body());
      xml.append("</text></revision></page>\n");
    }
    return utf8(xml.append("</mediawiki>\n").toString());
  }
}
