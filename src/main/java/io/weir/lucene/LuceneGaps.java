package io.weir.lucene;

import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.util.Version;

/**
 * What Weir does without, because this version of Lucene lacks a method.
 *
 * <p>Weir asks for the methods themselves, not for a version number.
 */
public final class LuceneGaps {

  private LuceneGaps() {}

  /** The version of Lucene that is there. */
  public static String version() {
    return Version.LATEST.toString();
  }

  /** One clause for each gap: what differs, and the method that is missing. Empty since 10.3. */
  public static List<String> all() {
    List<String> gaps = new ArrayList<>();
    if (!InputCalls.canSliceByContext()) {
      gaps.add("a merge may load the keys of a compound segment (slices have no IOContext)");
    }
    return List.copyOf(gaps);
  }
}
