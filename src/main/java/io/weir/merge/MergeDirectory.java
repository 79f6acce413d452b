package io.weir.merge;

import io.weir.lucene.SegmentFiles;
import java.io.IOException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;

/**
 * The directory as one merge sees it: tells the account the name of the merged segment as soon as
 * one of its files is made, and which files there are.
 *
 * <p>A merge of {@code addIndexes(CodecReader...)} does not have its name before. <b>Threads:</b>
 * as the directory below.
 */
final class MergeDirectory extends FilterDirectory {

  private final RunningMerge account;

  MergeDirectory(Directory in, RunningMerge account) {
    super(in);
    this.account = account;
  }

  @Override
  public IndexOutput createOutput(String name, IOContext context) throws IOException {
    account.writes(SegmentFiles.segmentOf(name));
    account.created().add(name);
    return in.createOutput(name, context);
  }

  @Override
  public IndexOutput createTempOutput(String prefix, String suffix, IOContext context)
      throws IOException {
    account.writes(SegmentFiles.segmentOf(prefix));
    IndexOutput output = in.createTempOutput(prefix, suffix, context);
    account.created().add(output.getName());
    return output;
  }

  @Override
  public void deleteFile(String name) throws IOException {
    in.deleteFile(name);
    account.created().remove(name);
  }
}
