package io.weir.architecture;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

/**
 * Weir's own compiled classes, tests apart, for tests of what they use of each other. Of all other
 * classes only the names are known, which takes a fraction of the time.
 */
final class WeirClasses {

  private static final JavaClasses ALL =
      ArchConfiguration.withThreadLocalScope(
          configuration -> {
            configuration.setResolveMissingDependenciesFromClassPath(false);
            return new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("io.weir");
          });

  private WeirClasses() {}

  /** Read once in this JVM. */
  static JavaClasses all() {
    return ALL;
  }
}
