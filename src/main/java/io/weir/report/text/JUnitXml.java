package io.weir.report.text;

import io.weir.report.words.SloWords;
import io.weir.run.Run;
import io.weir.run.RunFiles;
import io.weir.run.RunJson;
import io.weir.run.SloResult;
import java.io.IOException;
import java.io.StringWriter;
import java.util.Locale;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/**
 * The objectives of a run as passed or failed tests, in the form that build servers read: a test
 * case for each objective and arm.
 *
 * <p><b>Threads:</b> stateless.
 */
public final class JUnitXml {

  private static final String SUITE = "weir";

  /** Writes {@link RunFiles#sloXml} if the run has objectives. */
  public void write(RunFiles files, Run run) throws IOException {
    if (!run.slos().isEmpty()) {
      RunJson.replace(files.sloXml(), render(run));
    }
  }

  static String render(Run run) throws IOException {
    StringWriter out = new StringWriter();
    try {
      XMLStreamWriter xml = XMLOutputFactory.newFactory().createXMLStreamWriter(out);
      xml.writeStartDocument("UTF-8", "1.0");
      xml.writeCharacters("\n");
      xml.writeStartElement("testsuite");
      xml.writeAttribute("name", SUITE);
      xml.writeAttribute("tests", Integer.toString(run.slos().size()));
      xml.writeAttribute(
          "failures", Long.toString(run.slos().stream().filter(slo -> !slo.met()).count()));
      xml.writeAttribute("errors", "0");
      xml.writeAttribute("timestamp", run.startedAt().toString());
      xml.writeAttribute(
          "time", String.format(Locale.ROOT, "%.3f", run.duration().toMillis() / 1e3));
      for (SloResult slo : run.slos()) {
        xml.writeCharacters("\n  ");
        testCase(xml, slo);
      }
      xml.writeCharacters("\n");
      xml.writeEndElement();
      xml.writeEndDocument();
      xml.close();
    } catch (XMLStreamException e) {
      throw new IOException("the objectives cannot be written as XML: " + e.getMessage(), e);
    }
    return out.append('\n').toString();
  }

  private static void testCase(XMLStreamWriter xml, SloResult slo) throws XMLStreamException {
    xml.writeStartElement("testcase");
    xml.writeAttribute("classname", SUITE + "." + slo.arm());
    xml.writeAttribute("name", slo.slo());
    if (!slo.met()) {
      xml.writeEmptyElement("failure");
      xml.writeAttribute("type", "missed");
      xml.writeAttribute("message", slo.slo() + ", measured " + SloWords.measured(slo));
    }
    xml.writeEndElement();
  }
}
