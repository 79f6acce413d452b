package io.weir.corpus;

import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackReader;
import java.io.Reader;
import java.util.HashSet;
import java.util.OptionalLong;
import java.util.Set;
import javax.xml.stream.Location;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Reads a Wikipedia {@code pages-articles} dump: each article's title, and its latest revision's
 * text and time.
 *
 * <p>The body is the wikitext as it is, markup included: an analyzer copes with it, and taking it
 * out would cost more than indexing it. Redirects, pages outside the main namespace and pages with
 * no text are skipped. Old dumps that do not say a page's namespace are understood by the prefixes
 * that their {@code siteinfo} lists.
 *
 * <p>XML that breaks ends the reading there, with one malformed input at the line of the break. No
 * DTD is read, and a reference to an entity other than XML's own five is such a break. The JDK's
 * two limits on the size of entities count the dump itself and would end it after 100 KB (since JDK
 * 24) or 50 MB; they are lifted, for without a DTD there is nothing that could grow.
 */
final class WikipediaReader implements DocumentReader {

  /** The longest text of a page; Wikipedia's own limit is 2 MiB. */
  static final int MAX_TEXT_CHARS = 64 << 20;

  private static final int KEPT_BUFFER_CHARS = 1 << 20;
  private static final String NO_LIMIT = "0";
  private static final String MAIN_NAMESPACE = "0";
  private static final String REDIRECT = "#REDIRECT";

  private final InputStream in;
  private final String name;
  private final ReadProblems problems;
  private final int maxTextChars;

  /** Prefixes of titles outside the main namespace, as the dump's head lists them. */
  private final Set<String> foreignPrefixes = new HashSet<>();

  private XMLStreamReader xml;
  private boolean ended;

  /** The blank lines before the XML, which the parser does not see. */
  private long linesBefore;

  // Of the page that is being read.
  private StringBuilder characters = new StringBuilder(KEPT_BUFFER_CHARS);
  private boolean charactersTooLong;

  WikipediaReader(InputStream in, String name, ReadProblems problems, int maxTextChars) {
    this.in = in;
    this.name = name;
    this.problems = problems;
    this.maxTextChars = maxTextChars;
  }

  @Override
  public CorpusDocument next() throws IOException {
    if (ended) {
      return null;
    }
    try {
      CorpusDocument document = nextPage();
      ended = document == null;
      return document;
    } catch (XMLStreamException e) {
      ended = true;
      Breaks.rethrowIfStopped(e);
      Breaks.rethrowIfStopped(e.getNestedException());
      breakAt(e);
      return null;
    }
  }

  @Override
  public void close() throws IOException {
    in.close();
  }

  private CorpusDocument nextPage() throws XMLStreamException {
    if (xml == null) {
      xml = open();
    }
    while (xml.hasNext()) {
      if (xml.next() != XMLStreamConstants.START_ELEMENT) {
        continue;
      }
      switch (xml.getLocalName()) {
        case "namespace" -> readNamespace();
        case "page" -> {
          CorpusDocument document = readPage();
          if (document != null) {
            return document;
          }
        }
        default -> {
          // A container, or of no interest; what it holds comes next.
        }
      }
    }
    return null;
  }

  private XMLStreamReader open() throws XMLStreamException {
    // The JDK's own parser, whatever else is on the class path: limits are named its way.
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty(XMLInputFactory.IS_COALESCING, false);
    factory.setProperty("jdk.xml.totalEntitySizeLimit", NO_LIMIT);
    factory.setProperty("jdk.xml.maxGeneralEntitySizeLimit", NO_LIMIT);
    return factory.createXMLStreamReader(
        withoutBlanks(
            new Utf8Reader(
                in, line -> problems.malformed(name, line, "invalid UTF-8, replaced by U+FFFD"))));
  }

  /** XML allows none before its declaration. */
  private Reader withoutBlanks(Reader text) throws XMLStreamException {
    PushbackReader from = new PushbackReader(text);
    try {
      int c = from.read();
      while (Character.isWhitespace(c)) {
        linesBefore += c == '\n' ? 1 : 0;
        c = from.read();
      }
      if (c >= 0) {
        from.unread(c);
      }
      return from;
    } catch (IOException e) {
      throw new XMLStreamException(Breaks.reason(e), e);
    }
  }

  private long line(Location location) {
    return linesBefore + location.getLineNumber();
  }

  private void readNamespace() throws XMLStreamException {
    boolean main = MAIN_NAMESPACE.equals(xml.getAttributeValue(null, "key"));
    String prefix = readText();
    if (!main && !prefix.isEmpty()) {
      foreignPrefixes.add(prefix);
    }
  }

  /** The document of a page whose start has been read, or null if it is to be none. */
  private CorpusDocument readPage() throws XMLStreamException {
    long line = line(xml.getLocation());
    String title = null;
    boolean foreign = false;
    boolean redirect = false;
    charactersTooLong = false;
    Revision latest = null;
    while (nextChild()) {
      switch (xml.getLocalName()) {
        case "title" -> {
          title = readText();
          foreign |= foreignPrefixes.contains(title.substring(0, Math.max(0, title.indexOf(':'))));
        }
        // What it says decides: a title in the main namespace may look prefixed.
        case "ns" -> foreign = !MAIN_NAMESPACE.equals(readText().strip());
        case "redirect" -> {
          redirect = true;
          skipElement();
        }
        case "revision" -> {
          if (foreign || redirect) {
            skipElement();
          } else {
            Revision revision = readRevision();
            latest = latest == null || revision.isAtLeast(latest) ? revision : latest;
          }
        }
        default -> skipElement();
      }
    }
    if (foreign || redirect) {
      problems.skipped();
      return null;
    }
    if (charactersTooLong) {
      problems.malformed(
          name, line, "text must be at most " + maxTextChars + " characters, left out");
      return null;
    }
    if (title == null || latest == null || !latest.textSeen()) {
      problems.malformed(name, line, "page must have a title and a revision with a text");
      return null;
    }
    return document(title, latest);
  }

  private CorpusDocument document(String title, Revision latest) {
    String text = latest.text();
    if (text.isEmpty() || text.regionMatches(true, 0, REDIRECT, 0, REDIRECT.length())) {
      problems.skipped();
      return null;
    }
    OptionalLong epochMillis = DocumentDate.epochMillis(latest.timestamp());
    if (epochMillis.isEmpty()) {
      problems.undated();
    }
    return new CorpusDocument(title, text, epochMillis.orElse(CorpusDocument.UNDATED_EPOCH_MILLIS));
  }

  /** The dump gives times as ISO 8601 in UTC, so their text sorts as they do. */
  private record Revision(String timestamp, boolean textSeen, String text) {
    boolean isAtLeast(Revision other) {
      return timestamp.compareTo(other.timestamp) >= 0;
    }
  }

  private Revision readRevision() throws XMLStreamException {
    String timestamp = "";
    boolean textSeen = false;
    String text = "";
    while (nextChild()) {
      switch (xml.getLocalName()) {
        case "timestamp" -> timestamp = readText();
        case "text" -> {
          textSeen = true;
          text = readText();
        }
        default -> skipElement();
      }
    }
    return new Revision(timestamp, textSeen, text);
  }

  /** Goes to the next child's start; false when the element that holds it has ended instead. */
  private boolean nextChild() throws XMLStreamException {
    while (true) {
      switch (xml.next()) {
        case XMLStreamConstants.START_ELEMENT -> {
          return true;
        }
        case XMLStreamConstants.END_ELEMENT -> {
          return false;
        }
        default -> {
          // Blanks and comments between elements.
        }
      }
    }
  }

  private void skipElement() throws XMLStreamException {
    while (nextChild()) {
      skipElement();
    }
  }

  /** The text of the element whose start has been read; what lies in inner elements is left out. */
  private String readText() throws XMLStreamException {
    characters.setLength(0);
    while (true) {
      switch (xml.next()) {
        case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA, XMLStreamConstants.SPACE ->
            append();
        case XMLStreamConstants.START_ELEMENT -> skipElement();
        case XMLStreamConstants.END_ELEMENT -> {
          return takeCharacters();
        }
        default -> {
          // A comment is no text.
        }
      }
    }
  }

  private void append() {
    if (characters.length() + (long) xml.getTextLength() > maxTextChars) {
      charactersTooLong = true;
      return;
    }
    characters.append(xml.getTextCharacters(), xml.getTextStart(), xml.getTextLength());
  }

  private String takeCharacters() {
    String text = characters.toString();
    if (characters.capacity() > KEPT_BUFFER_CHARS) {
      characters = new StringBuilder(KEPT_BUFFER_CHARS);
    }
    return text;
  }

  private void breakAt(XMLStreamException failure) {
    String reason = Breaks.reason(failure);
    // The parser puts the place in front; ours stands there already.
    int message = reason.indexOf("Message: ");
    reason =
        "the file breaks here, what came before is kept: "
            + (message < 0 ? reason : reason.substring(message + "Message: ".length()));
    if (failure.getLocation() != null) {
      problems.malformed(name, line(failure.getLocation()), reason);
    } else if (xml != null) {
      problems.malformed(name, line(xml.getLocation()), reason);
    } else {
      problems.malformed(name, reason);
    }
  }
}
