package io.weir.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.suite.Slow;
import io.weir.tools.ScriptSandbox.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which JDK {@code tools/find-jdk} takes, among fake ones. */
@Slow("starts a shell for each test")
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ToolsScriptFindJdkTest {
  /** Knows one locale of its own, German and Japanese. */
  private static final String LOCALE =
      """
      case ${LC_ALL:-${LC_CTYPE:-${LANG:-C}}} in
        %s | de_DE.UTF-8) echo UTF-8 ;;
        ja_JP.eucJP) echo EUC-JP ;;
        *) echo ANSI_X3.4-1968 ;;
      esac
      """;

  @TempDir Path temporary;
  @AutoClose private ScriptSandbox sandbox;

  @BeforeEach
  void makeSandbox() throws IOException {
    sandbox = ScriptSandbox.in(temporary);
  }

  @Test
  void javaHome_newEnough_winsOverNewer() throws Exception {
    Path old = sandbox.putJdk("b", "21.0.5");
    sandbox.putJdk("a", "25.0.1");
    sandbox.set("JAVA_HOME", old.toString());
    assertEquals(new Result(0, List.of(old.toString()), List.of()), findJdk());
  }

  @Test
  void javaHome_tooOld_isIgnoredSilently() throws Exception {
    Path old = sandbox.putJdk("old", "17.0.15");
    Path newer = sandbox.putJdk("newer", "21");
    sandbox.set("JAVA_HOME", old.toString());
    assertEquals(new Result(0, List.of(newer.toString()), List.of()), findJdk());
  }

  @Test
  void javaHome_relative_becomesAbsolute() throws Exception {
    Path jdk = sandbox.putJdk("jdk", "21");
    sandbox.set("JAVA_HOME", "../jvms/jdk");
    Path found = Path.of(findJdk().out().get(0));
    assertTrue(found.isAbsolute(), found::toString);
    assertEquals(jdk.toRealPath(), found.toRealPath());
  }

  @Test
  void search_severalJdks_takesTheNewestByNumber() throws Exception {
    sandbox.putJdk("a", "9.0.4");
    Path newest = sandbox.putJdk("b 100", "100.0.1");
    sandbox.putJdk("c", "25.0.1");
    assertEquals(new Result(0, List.of(newest.toString()), List.of()), findJdk());
  }

  @Test
  void search_newestHasNoCompiler_isPassedOver() throws Exception {
    sandbox.putJre("jre", "26", "exit 1");
    Path jdk = sandbox.putJdk("jdk", "21");
    assertEquals(List.of(jdk.toString()), findJdk().out());
  }

  @Test
  void search_javacOnPathIsNewer_isTakenThroughItsLink() throws Exception {
    sandbox.putJdk("jdk", "21");
    Path elsewhere = Files.move(sandbox.putJdk("x", "25"), temporary.resolve("elsewhere"));
    sandbox.linkOnPath("javac", elsewhere.resolve("bin/javac"));
    assertEquals(elsewhere.toRealPath(), Path.of(findJdk().out().get(0)).toRealPath());
  }

  @Test
  void search_noReleaseFile_asksTheCompiler() throws Exception {
    Path jdk = sandbox.putJdk("jdk", "22.0.1");
    Files.delete(jdk.resolve("release"));
    assertEquals(List.of(jdk.toString()), findJdk().out());
  }

  @Test
  void search_nothing_saysWhatToInstallInOneLine() throws Exception {
    sandbox.putJdk("jdk", "17.0.15");
    Result result = findJdk();
    assertEquals(1, result.exitCode());
    assertEquals(List.of(), result.out());
    assertEquals(1, result.err().size(), () -> "" + result.err());
    assertTrue(result.err().get(0).contains("openjdk-21-jdk-headless"), result.err().get(0));
  }

  @Test
  void findJava_aJreIsEnough_andTheNewestWins() throws Exception {
    sandbox.putJdk("jdk", "21");
    Path jre = sandbox.putJre("jre", "26", "exit 1");
    assertEquals(new Result(0, List.of(jre.toString()), List.of()), findJava());
  }

  @Test
  void findJava_noReleaseFile_asksJava() throws Exception {
    String version = "echo 'openjdk version \"22.0.1\" 2024-04-16' >&2; echo 'OpenJDK x' >&2";
    Path jre = sandbox.putJre("jre", "22.0.1", version);
    Files.delete(jre.resolve("release"));
    assertEquals(List.of(jre.toString()), findJava().out());
  }

  @Test
  void findJava_nothing_saysWhatToInstallInOneLine() throws Exception {
    sandbox.putJre("jre", "17.0.15", "exit 1");
    Result result = findJava();
    assertEquals(1, result.exitCode());
    assertEquals(1, result.err().size(), () -> "" + result.err());
    assertTrue(result.err().get(0).contains("no Java 21 or newer"), result.err().get(0));
  }

  @ParameterizedTest
  @CsvSource({"1.8.0_392,8", "21,21", "21.0.5,21", "25-ea,25", "25.0.1+8-LTS,25"})
  void featureVersion_formOfRelease_isRead(String version, String feature) throws Exception {
    Path jdk = sandbox.putJdk("jdk", version);
    assertEquals(List.of(feature), featureVersion(jdk).out());
    Files.delete(jdk.resolve("release"));
    assertEquals(List.of(feature), featureVersion(jdk).out());
  }

  /** Whoever asks for Java gets a locale in which it knows every name. */
  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "C, -, -, C.UTF-8//", // of a cron job
        "POSIX, ja_JP.eucJP, ja_JP.eucJP, C.UTF-8/ja_JP.eucJP/ja_JP.eucJP",
        "-, -, -, /C.UTF-8/", // of a container
        "-, -, C, /C.UTF-8/C",
        "-, C, de_DE.UTF-8, /C.UTF-8/de_DE.UTF-8", // messages stay German
        "-, -, de_DE.UTF-8, //de_DE.UTF-8",
        "-, -, ja_JP.eucJP, //ja_JP.eucJP", // the caller's own
      })
  void locale_ofAscii_becomesOneOfUtf8(String all, String type, String lang, String expected)
      throws Exception {
    sandbox.putJdk("jdk", "21");
    set("LC_ALL", all);
    set("LC_CTYPE", type);
    set("LANG", lang);
    assertEquals(List.of(expected), locale());
    sandbox.putOnPath("locale", LOCALE.formatted("C.UTF-8"));
    assertEquals(List.of(expected), locale());
  }

  @Test
  void locale_thatTheMachineDoesNotHave_becomesOneItHas() throws Exception {
    sandbox.putJdk("jdk", "21");
    sandbox.set("LANG", "fr_FR.UTF-8");
    sandbox.putOnPath("locale", LOCALE.formatted("C.UTF-8"));
    assertEquals(List.of("/C.UTF-8/fr_FR.UTF-8"), locale());
    sandbox.putOnPath("locale", LOCALE.formatted("en_US.UTF-8")); // as of macOS
    assertEquals(List.of("/en_US.UTF-8/fr_FR.UTF-8"), locale());
    sandbox.putOnPath("locale", "echo ANSI_X3.4-1968");
    assertEquals(List.of("//fr_FR.UTF-8"), locale());
  }

  private List<String> locale() throws Exception {
    Result result =
        sourced("find_java || exit; bash -c 'echo \"${LC_ALL-}/${LC_CTYPE-}/${LANG-}\"'", "");
    assertEquals(List.of(), result.err().stream().filter(l -> !l.contains("setlocale")).toList());
    return result.out();
  }

  private void set(String variable, String value) {
    if (value != null) {
      sandbox.set(variable, value);
    }
  }

  private Result findJdk() throws Exception {
    return sourced("find_jdk || exit; printf '%s\\n' \"$JAVA_HOME\"", "");
  }

  private Result findJava() throws Exception {
    return sourced("find_java || exit; printf '%s\\n' \"$JAVA_HOME\"", "");
  }

  private Result featureVersion(Path jdk) throws Exception {
    return sourced("java_feature_version javac \"$2\"", jdk.toString());
  }

  private Result sourced(String then, String argument) throws Exception {
    String findJdk = sandbox.script("tools/find-jdk");
    return sandbox.run("bash", "-c", "set -u; . \"$1\"; " + then, "-", findJdk, argument);
  }
}
