package io.weir.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import org.apache.lucene.util.Version;
import picocli.CommandLine.IVersionProvider;

/** The version of Weir, as the build wrote it down. */
final class WeirVersion implements IVersionProvider {

  /** Weir's version number. */
  static String number() {
    Properties properties = new Properties();
    try (InputStream in = WeirVersion.class.getResourceAsStream("version.properties")) {
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return properties.getProperty("version");
  }

  @Override
  public String[] getVersion() {
    return new String[] {
      "weir %s (Lucene %s, Java %s)".formatted(number(), Version.LATEST, Runtime.version())
    };
  }
}
