package io.weir.corpus;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.compress.compressors.CompressorException;
import org.apache.commons.compress.compressors.CompressorStreamFactory;

/** What tests of this package share: packing, and reading to the end. */
final class Corpora {

  private Corpora() {}

  static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static byte[] pack(Compression compression, byte[] content) throws IOException {
    String format =
        switch (compression) {
          case NONE -> null;
          case GZIP -> CompressorStreamFactory.GZIP;
          case BZIP2 -> CompressorStreamFactory.BZIP2;
          case XZ -> CompressorStreamFactory.XZ;
          case ZSTD -> CompressorStreamFactory.ZSTANDARD;
        };
    if (format == null) {
      return content;
    }
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream out =
        CompressorStreamFactory.getSingleton().createCompressorOutputStream(format, packed)) {
      out.write(content);
    } catch (CompressorException e) {
      throw new IOException(e);
    }
    return packed.toByteArray();
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
