package io.weir.lucene;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.FieldsProducer;
import org.apache.lucene.codecs.PostingsFormat;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.index.SegmentReadState;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;

/**
 * Finds the parts of a terms dictionary's blocks that contain the terms of some of its fields.
 *
 * <p>A dictionary writes one field after the other in the order of their names, and the root of a
 * field's tree last. So a field's blocks begin where those of the field before it end, and they end
 * where an enumeration ends that runs from the last term. Its reads are observed; the dictionary is
 * not parsed, because its format differs between versions. A wrong range would cost reads, and
 * never a wrong answer.
 *
 * <p>Source: Lucene 10.5.1, {@code Lucene103BlockTreeTermsWriter.write} and {@code
 * PerFieldPostingsFormat} (the order), {@code SegmentTermsEnum.next} (the parents of the last term
 * are loaded, up to the root).
 */
public final class TermsOfFields {

  private TermsOfFields() {}

  /**
   * Reads what it needs to find the ranges, some blocks for each field.
   *
   * @param files of the segment, by their names, compound or not
   * @param blocks the name of the blocks file; other fields than {@code fields} may share it
   * @return a range for each of {@code fields} that has terms in this file, ascending
   * @throws IOException if the files cannot be read, or not by the codecs of this JVM
   */
  public static List<FileRange> ranges(
      Directory files, String segment, String blocks, Set<String> fields) throws IOException {
    FieldInfos infos;
    SegmentInfo info;
    try (IndexInput input =
        files.openInput(SegmentFiles.fieldInfosOf(segment), IOContext.READONCE)) {
      byte[] bytes = new byte[Math.toIntExact(input.length())];
      input.readBytes(bytes, 0, bytes.length);
      infos = FieldInfosFile.read(segment, bytes);
      input.seek(0);
      info = SegmentId.infoFrom(input, files, segment, Codec.getDefault());
    }
    for (FieldInfo field : infos) {
      String group = FieldInfosFile.postingsGroupOf(field).orElse("");
      if (fields.contains(field.name) && SegmentFiles.termsBlocks(segment, group).equals(blocks)) {
        LastRead lastRead = new LastRead();
        Directory observed = new Observed(files, blocks, lastRead);
        String format = field.getAttribute(FieldInfosFile.POSTINGS_FORMAT);
        try (FieldsProducer producer =
            PostingsFormat.forName(format)
                .fieldsProducer(
                    new SegmentReadState(observed, info, infos, IOContext.READONCE, group))) {
          return ranges(producer, fields, lastRead);
        }
      }
    }
    return List.of();
  }

  /** The fields of a file have one format in common. */
  private static List<FileRange> ranges(
      FieldsProducer producer, Set<String> fields, LastRead lastRead) throws IOException {
    List<FileRange> ranges = new ArrayList<>();
    String before = null;
    for (String field : producer) {
      long end = fields.contains(field) ? endOf(field, producer, lastRead) : 0;
      if (end > 0) {
        long start = before == null ? 0 : endOf(before, producer, lastRead);
        ranges.add(new FileRange(start < end ? start : 0, end));
      }
      before = field;
    }
    return ranges;
  }

  /** Where the blocks of a field end; 0 for one without terms. */
  private static long endOf(String field, FieldsProducer producer, LastRead lastRead)
      throws IOException {
    lastRead.end = 0;
    Terms terms = producer.terms(field);
    if (terms != null && terms.getMax() != null) {
      TermsEnum last = terms.iterator();
      last.seekCeil(terms.getMax());
      while (last.next() != null) {
        // The last term has no next one, so this loads its parents only.
      }
    }
    return lastRead.end;
  }

  /** The end of the read that went furthest. */
  private static final class LastRead {

    private long end;

    void add(long to) {
      end = Math.max(end, to);
    }
  }

  /** Observes the reads of one file. */
  private static final class Observed extends FilterDirectory {

    private final String name;
    private final LastRead lastRead;

    Observed(Directory in, String name, LastRead lastRead) {
      super(in);
      this.name = name;
      this.lastRead = lastRead;
    }

    @Override
    public IndexInput openInput(String file, IOContext context) throws IOException {
      IndexInput input = in.openInput(file, context);
      return file.equals(name) ? new ObservedInput(input, lastRead) : input;
    }
  }

  private static final class ObservedInput extends ForwardingIndexInput {

    private final LastRead lastRead;

    ObservedInput(IndexInput in, LastRead lastRead) {
      super(in);
      this.lastRead = lastRead;
    }

    @Override
    public byte readByte() throws IOException {
      byte value = in.readByte();
      lastRead.add(in.getFilePointer());
      return value;
    }

    @Override
    public void readBytes(byte[] bytes, int offset, int length) throws IOException {
      in.readBytes(bytes, offset, length);
      lastRead.add(in.getFilePointer());
    }

    @Override
    public IndexInput clone() {
      return new ObservedInput(in.clone(), lastRead);
    }
  }
}
