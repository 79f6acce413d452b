package io.weir.lucene;

import java.lang.invoke.MethodHandle;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.util.Version;

/**
 * Sets how many overlays a writer keeps of a doc-values column that is updated. An overlay has the
 * new values alone; without overlays each update writes the whole column again.
 *
 * <p>Source: Lucene 10.6.0, {@code IndexWriterConfig.setMaxDocValuesOverlays}, {@code
 * ReadersAndUpdates.handleDVUpdates}. A merge then reads the updates that came while it ran from
 * the disk, under the writer's lock ({@code IndexWriter.buildMappedDVUpdatesFromDisk}).
 */
public final class DocValuesOverlays {

  /** The first version that has them. */
  public static final Version SINCE = Version.fromBits(10, 6, 0);

  private static final MethodHandle SET_MOST =
      Link.method(
              IndexWriterConfig.class,
              "setMaxDocValuesOverlays",
              IndexWriterConfig.class,
              int.class)
          .orElse(null);

  private DocValuesOverlays() {}

  /**
   * Has the writer keep at most this many for a column of a segment; 0 for none.
   *
   * @throws UnsupportedOperationException if this Lucene is older than {@link #SINCE}
   */
  public static void keep(int most, IndexWriterConfig config) {
    if (SET_MOST == null) {
      throw new UnsupportedOperationException(
          "doc-values overlays need Lucene %s or newer: %s".formatted(SINCE, Version.LATEST));
    }
    try {
      IndexWriterConfig unused = (IndexWriterConfig) SET_MOST.invokeExact(config, most);
    } catch (Throwable e) {
      throw Link.<RuntimeException>thrown(e);
    }
  }
}
