package io.weir.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The packages of Weir use lower rings only, never in a circle, and each library where it belongs.
 */
class RingsTest {

  private static final String ROOT = "io.weir";
  private static final String VIOLATIONS = "io.weir.architecture.violations";

  private static final JavaClasses WEIR =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(ROOT);

  private static final JavaClasses BROKEN = new ClassFileImporter().importPackages(VIOLATIONS);

  @Test
  void weir_usesOnlyWhatTheDesignAllows() {
    assertTrue(WEIR.contain("io.weir.procfs.Procfs"), "the classes of Weir were not found");
    assertEquals(List.of(), new Rings(ROOT).violations(WEIR));
  }

  @Test
  void ring_ofTheLibrary_needsNoneOfTheCommandLine() {
    for (Ring ring : Ring.values()) {
      if (ring.isInLibrary()) {
        assertEquals(
            List.of(), ring.mayUse().filter(used -> !used.isInLibrary()).toList(), ring::fullName);
      }
    }
  }

  @Test
  void weir_hasNoCircleOfPackages() {
    noCircle(ROOT).check(WEIR);
  }

  @Test
  void violations_areAllCaughtAndNothingElse() {
    assertEquals(
        List.of(
            "cli.CliUsesAllButOshi uses oshi.hardware.HWDiskStore",
            "control.ControlUsesJackson uses com.fasterxml.jackson.databind.JsonNode",
            "host.HostUsesCompress uses org.apache.commons.compress.archivers.ArchiveEntry",
            "procfs.ProcfsUsesOshi uses oshi.hardware.HWDiskStore",
            "rate.RateUsesLucene uses org.apache.lucene.store.Directory",
            "report.ReportUsesStress uses stress.StressUsesPicocli",
            "store.StoreUsesLuceneModule uses org.apache.lucene.tests.util.LineFileDocs",
            "stray.Stray is in a package that the design does not name",
            "stress.StressUsesPicocli uses picocli.CommandLine",
            "time.TimeUsesRate uses rate.RateUsesLucene"),
        new Rings(VIOLATIONS)
            .violations(BROKEN).stream().map(line -> line.replace(VIOLATIONS + ".", "")).toList());
  }

  @Test
  void violations_theCircleIsCaught() {
    AssertionError found =
        assertThrows(AssertionError.class, () -> noCircle(VIOLATIONS).check(BROKEN));

    assertTrue(found.getMessage().contains("Slice rate"), found.getMessage());
    assertTrue(found.getMessage().contains("Slice time"), found.getMessage());
  }

  @Test
  void mayUsePackage_ofAPartOfAPackage_allowsThatPartAlone() {
    assertTrue(Ring.REPORT.mayUsePackage("run"));
    assertTrue(Ring.REPORT.mayUsePackage("run.csv"));
    assertTrue(Ring.REPORT.mayUsePackage("report.html"));
    assertFalse(Ring.REPORT.mayUsePackage("stress"));
    assertFalse(Ring.REPORT.mayUsePackage("runs"));
    assertFalse(Ring.STORE.mayUsePackage(""));
    assertTrue(Ring.CLI.mayUsePackage(""));
  }

  private static ArchRule noCircle(String root) {
    return SlicesRuleDefinition.slices()
        .matching(root + ".(*)..")
        .should()
        .beFreeOfCycles()
        .allowEmptyShould(true);
  }
}
