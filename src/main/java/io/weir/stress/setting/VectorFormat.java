package io.weir.stress.setting;

import java.util.Locale;
import java.util.Optional;
import org.apache.lucene.codecs.KnnVectorsFormat;
import org.apache.lucene.codecs.lucene104.Lucene104HnswScalarQuantizedVectorsFormat;
import org.apache.lucene.codecs.lucene99.Lucene99HnswVectorsFormat;
import org.apache.lucene.util.Version;
import org.apache.lucene.util.quantization.QuantizedByteVectorValues.ScalarEncoding;

/**
 * How segments hold the vectors that a graph is built and searched with. Lucene keeps the floats of
 * each format too, for merges.
 */
public enum VectorFormat {
  /** As they are, which is Lucene's default. */
  FLOAT,
  /** A byte for each number. */
  INT8,
  /** Four bits for each number. */
  INT4,
  /** One bit for each number; four for each of a query. */
  BINARY;

  /** The first Lucene with these classes. */
  static final Version SINCE = Version.fromBits(10, 5, 0);

  /** As settings spell it: {@code int8}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** What writes them; empty for Lucene's default. */
  public Optional<KnnVectorsFormat> toLucene() {
    return switch (this) {
      case FLOAT -> Optional.empty();
      case INT8 -> Optional.of(quantized(ScalarEncoding.UNSIGNED_BYTE));
      case INT4 -> Optional.of(quantized(ScalarEncoding.PACKED_NIBBLE));
      case BINARY -> Optional.of(quantized(ScalarEncoding.SINGLE_BIT_QUERY_NIBBLE));
    };
  }

  private static KnnVectorsFormat quantized(ScalarEncoding encoding) {
    return new Lucene104HnswScalarQuantizedVectorsFormat(
        encoding,
        Lucene99HnswVectorsFormat.DEFAULT_MAX_CONN,
        Lucene99HnswVectorsFormat.DEFAULT_BEAM_WIDTH);
  }
}
