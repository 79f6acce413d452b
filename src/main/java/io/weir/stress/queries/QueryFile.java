package io.weir.stress.queries;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * A file of queries: UTF-8 with or without a byte order mark, one a line in the form of {@link
 * QueryLine}; a line that is blank or begins with {@code #} is none.
 *
 * <p><b>Failure:</b> {@link MalformedQueriesException} at the first place that is wrong. Columns
 * are counted in characters from 1.
 */
public final class QueryFile {

  /** The most lines, comments included. */
  public static final int MAX_LINES = 1_000_000;

  /** The longest line; four of the longest terms that the index can have, all escaped, fit. */
  public static final int MAX_LINE_BYTES = 10_000;

  /** The longest file: it is held in memory while it is looked at. */
  public static final int MAX_BYTES = 64 << 20;

  /** Takes a line that is a query. */
  private interface LineConsumer {
    void accept(int number, String line) throws MalformedQueriesException;
  }

  private static final char COMMENT = '#';

  private final String name;
  private final byte[] bytes;

  /**
   * A file that was read.
   *
   * @param name as the user knows it
   * @param bytes all of it
   */
  public QueryFile(String name, byte[] bytes) {
    this.name = name;
    this.bytes = bytes;
  }

  /** Reads {@code file}, once and to its end, so a pipe will do. */
  public static QueryFile read(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return new QueryFile(file.toString(), in.readNBytes(MAX_BYTES + 1));
    }
  }

  /** The text of a file with comments at its head. */
  public static byte[] format(List<String> head, List<SearchQuery> queries) {
    StringBuilder text = new StringBuilder();
    head.forEach(line -> text.append(COMMENT).append(' ').append(line).append('\n'));
    queries.forEach(query -> text.append(QueryLine.format(query)).append('\n'));
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** As it was read. */
  public byte[] bytes() {
    return bytes;
  }

  /** How many queries there are; all of it is looked at. */
  public long count() throws MalformedQueriesException {
    long[] count = {0};
    forEach(query -> count[0]++);
    return count[0];
  }

  /** How many queries there are, which must be one at least. */
  public long requireSome() throws MalformedQueriesException {
    return requireSome(count());
  }

  /** How many {@link #lines} there are, which must be one at least. */
  public long requireSomeLines() throws MalformedQueriesException {
    return requireSome(lines().size());
  }

  private long requireSome(long count) throws MalformedQueriesException {
    if (count == 0) {
      throw malformed(1, 1, "a file of queries must have at least 1 query: 0");
    }
    return count;
  }

  /** The queries, in their order; a term that comes twice is held once. */
  public List<SearchQuery> queries() throws MalformedQueriesException {
    Map<String, String> terms = new HashMap<>();
    List<SearchQuery> queries = new ArrayList<>();
    forEach(
        query ->
            queries.add(
                new SearchQuery(
                    query.kind(),
                    query.operator(),
                    held(terms, query.terms()),
                    held(terms, query.without()))));
    return queries;
  }

  /**
   * The queries as they are written, without blanks around them: for a service with a syntax of its
   * own.
   */
  public List<String> lines() throws MalformedQueriesException {
    List<String> lines = new ArrayList<>();
    forEachLine((number, line) -> lines.add(line.strip()));
    return lines;
  }

  private static List<String> held(Map<String, String> held, List<String> terms) {
    return terms.stream().map(term -> held.computeIfAbsent(term, t -> t)).toList();
  }

  private void forEach(Consumer<SearchQuery> consumer) throws MalformedQueriesException {
    forEachLine((number, line) -> consumer.accept(query(number, line)));
  }

  private void forEachLine(LineConsumer consumer) throws MalformedQueriesException {
    if (bytes.length > MAX_BYTES) {
      throw malformed(1, 1, "a file of queries must have at most " + MAX_BYTES + " bytes: more");
    }
    if (begins(0xfe, 0xff) || begins(0xff, 0xfe)) {
      throw malformed(1, 1, "a file of queries must be UTF-8: UTF-16");
    }
    int number = 0;
    for (int start = begins(0xef, 0xbb, 0xbf) ? 3 : 0; start < bytes.length; ) {
      int end = start;
      while (end < bytes.length && bytes[end] != '\n') {
        end++;
      }
      if (++number > MAX_LINES) {
        throw malformed(
            number, 1, "a file of queries must have at most " + MAX_LINES + " lines: more");
      }
      boolean carriageReturn = end > start && bytes[end - 1] == '\r';
      String line = line(number, start, (carriageReturn ? end - 1 : end) - start);
      if (isQuery(line)) {
        consumer.accept(number, line);
      }
      start = end + 1;
    }
  }

  /** Whether a byte order mark is there. */
  private boolean begins(int... mark) {
    return bytes.length >= mark.length
        && IntStream.range(0, mark.length).allMatch(i -> (bytes[i] & 0xff) == mark[i]);
  }

  private static boolean isQuery(String line) {
    int first = 0;
    while (first < line.length() && (line.charAt(first) == ' ' || line.charAt(first) == '\t')) {
      first++;
    }
    return first < line.length() && line.charAt(first) != COMMENT;
  }

  private SearchQuery query(int number, String line) throws MalformedQueriesException {
    try {
      return QueryLine.parse(line);
    } catch (QuerySyntaxException e) {
      throw malformed(number, e.column(), e.getMessage());
    }
  }

  private String line(int number, int start, int length) throws MalformedQueriesException {
    if (length > MAX_LINE_BYTES) {
      throw malformed(
          number, 1, "a line must have at most " + MAX_LINE_BYTES + " bytes: " + length);
    }
    CharsetDecoder decoder =
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    ByteBuffer in = ByteBuffer.wrap(bytes, start, length);
    CharBuffer out = CharBuffer.allocate(length);
    if (decoder.decode(in, out, true).isError()) {
      int characters = Character.codePointCount(out.flip(), 0, out.length());
      throw malformed(
          number, characters + 1, "a line must be UTF-8: byte 0x%02x".formatted(in.get()));
    }
    return out.flip().toString();
  }

  private MalformedQueriesException malformed(long line, int column, String ruleAndValue) {
    return new MalformedQueriesException(name, line, column, ruleAndValue);
  }
}
