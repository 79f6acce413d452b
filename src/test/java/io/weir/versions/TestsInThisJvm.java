package io.weir.versions;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.weir.lucene.LuceneGaps;
import java.io.PrintWriter;
import java.util.Arrays;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Runs classes of tests in a JVM of their own, and says what failed. */
final class TestsInThisJvm {

  private TestsInThisJvm() {}

  /**
   * Exits with 0 if this is the expected Lucene, there were tests, and none failed.
   *
   * @param arguments the version of Lucene, and the classes of tests
   */
  public static void main(String[] arguments) {
    PrintWriter output = new PrintWriter(System.out, true);
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(Arrays.stream(arguments).skip(1).map(name -> selectClass(name)).toList())
            .build();
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    LauncherFactory.create().execute(request, listener);
    TestExecutionSummary summary = listener.getSummary();
    summary.printTo(output);
    summary.printFailuresTo(output, 20);
    boolean isThere = arguments[0].equals(LuceneGaps.version());
    output.println("Lucene " + LuceneGaps.version() + ", expected " + arguments[0]);
    System.exit(
        isThere && summary.getTestsSucceededCount() > 0 && summary.getTotalFailureCount() == 0
            ? 0
            : 1);
  }
}
