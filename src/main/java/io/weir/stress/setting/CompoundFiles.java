package io.weir.stress.setting;

import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.TieredMergePolicy;

/** Which segments of an index have their files packed into one, a compound file. */
public enum CompoundFiles {
  /** As Lucene does by default: flushed segments, and merged ones of up to a tenth of the index. */
  DEFAULT {
    @Override
    public void applyTo(IndexWriterConfig config, TieredMergePolicy policy) {}
  },
  /** Every segment. */
  ALWAYS {
    @Override
    public void applyTo(IndexWriterConfig config, TieredMergePolicy policy) {
      config.setUseCompoundFile(true);
      policy.setNoCFSRatio(1.0);
      policy.setMaxCFSSegmentSizeMB(Double.POSITIVE_INFINITY);
    }
  },
  /** No segment. */
  NEVER {
    @Override
    public void applyTo(IndexWriterConfig config, TieredMergePolicy policy) {
      config.setUseCompoundFile(false);
      policy.setNoCFSRatio(0.0);
    }
  };

  /**
   * Makes a writer flush and merge so.
   *
   * @param policy the writer's own, or the one that its policy wraps
   */
  public abstract void applyTo(IndexWriterConfig config, TieredMergePolicy policy);
}
