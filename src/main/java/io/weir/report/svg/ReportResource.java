package io.weir.report.svg;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** A style, a script or a template of the report, read from the class path. */
public final class ReportResource {
  private static final String DIRECTORY = "/io/weir/report/";

  private ReportResource() {}

  /** Reads {@code name}, a path below the report's resources. */
  public static String read(String name) throws IOException {
    try (InputStream in = ReportResource.class.getResourceAsStream(DIRECTORY + name)) {
      if (in == null) {
        throw new IOException("missing from the jar: " + DIRECTORY.substring(1) + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
