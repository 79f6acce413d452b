package io.weir.merge;

import io.weir.lucene.SegmentFiles;
import java.io.IOException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;

/**
 * The directory of one merge: records the name of the merged segment as soon as one of its files is
 * created, and the files that the merge creates.
 *
 * <p>A merge of {@code addIndexes(CodecReader...)} has no name before that. <b>Threads:</b> as the
 * directory below.
 */
final class MergeDirectory extends FilterDirectory {

  private final RunningMerge running;

  MergeDirectory(Directory in, RunningMerge running) {
    super(in);
    this.running = running;
  }

  @Override
  public IndexOutput createOutput(String name, IOContext context) throws IOException {
    running.writes(SegmentFiles.segmentOf(name));
    running.created().add(name);
    return in.createOutput(name, context);
  }

  @Override
  public IndexOutput createTempOutput(String prefix, String suffix, IOContext context)
      throws IOException {
    running.writes(SegmentFiles.segmentOf(prefix));
    IndexOutput output = in.createTempOutput(prefix, suffix, context);
    running.created().add(output.getName());
    return output;
  }

  @Override
  public void deleteFile(String name) throws IOException {
    in.deleteFile(name);
    running.created().remove(name);
  }
}
