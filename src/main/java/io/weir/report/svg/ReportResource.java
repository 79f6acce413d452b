package io.weir.report.svg;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** A style, a script or a template of the report, read from the class path. */
public final class ReportResource {
  private static final String DIRECTORY = "/io/weir/report/";

  private ReportResource() {}

  /** Reads {@code name}, a path below the report's resources. */
  public static String read(String name) throws IOException {
    Optional<URL> resource =
        Optional.ofNullable(ReportResource.class.getResource(DIRECTORY + name));
    if (resource.isEmpty()) {
      throw new IOException("missing from the jar: " + DIRECTORY.substring(1) + name);
    }
    try (InputStream in = resource.get().openStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
