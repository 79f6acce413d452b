package io.weir.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.suite.Slow;
import io.weir.tools.ScriptSandbox.Result;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code tools/slow-disk} refuses, before it does anything. */
@Slow("starts a shell for each test")
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@EnabledOnOs(OS.LINUX)
class ToolsScriptSlowDiskTest {
  private static final String TELLS_MORE = " (slow-disk --help tells more)";

  @TempDir Path temporary;
  @AutoClose private ScriptSandbox sandbox;

  /** None of the tools that make a disk is on the PATH. */
  @BeforeEach
  void makeSandbox() throws IOException {
    sandbox = ScriptSandbox.in(temporary);
    sandbox.putOnPath("id", "echo 0");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "help", "--help", "-h", "up --help", "run -h", "demo --help"})
  void help_inEachWay_isPrinted(String arguments) throws Exception {
    Result result = slowDisk(arguments);

    assertEquals(0, result.exitCode(), () -> "" + result.err());
    assertTrue(result.out().contains("  sudo tools/slow-disk demo"), () -> "" + result.out());
    assertEquals(List.of(), result.err());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "left | the first argument must be one of up, run, down, demo: left",
        "up --mount | --mount needs a value",
        "up --mount disk | --mount must be an absolute path of letters, digits, dots, dashes and underscores: disk",
        "up --mount / | --mount must be an absolute path of letters, digits, dots, dashes and underscores: /",
        "up --mount /mnt/a:b | --mount must be an absolute path of letters, digits, dots, dashes and underscores: /mnt/a:b",
        "up --size 8 | --size must be from 64M to 1024G, such as 512M or 8G: 8",
        "up --size 63M | --size must be from 64M to 1024G, such as 512M or 8G: 63M",
        "up --size 1025G | --size must be from 64M to 1024G, such as 512M or 8G: 1025G",
        "up --size -8G | --size must be from 64M to 1024G, such as 512M or 8G: -8G",
        "up --size 08G | --size must be from 64M to 1024G, such as 512M or 8G: 08G",
        "up --mbps fast | --mbps must be from 1 to 10000 MiB per second: fast",
        "up --mbps 0 | --mbps must be from 1 to 10000 MiB per second: 0",
        "up --mbps 10000.5 | --mbps must be from 1 to 10000 MiB per second: 10000.5",
        "up --seek-ms 0.5 | --seek-ms must be from 1 to 1000 milliseconds: 0.5",
        "up --seek-ms 1001 | --seek-ms must be from 1 to 1000 milliseconds: 1001",
        "up --model tape | --model must be spindle or volume: tape",
        "up --iops 100 | --iops, --latency-ms, --credits and --burst are limits of a volume; this is a spindle (see --model)",
        "up --model volume --seek-ms 6 | --seek-ms is a spindle's; this is a volume (see --model)",
        "up --model volume --iops 0 | --iops must be from 1 to 1000000 operations per second: 0",
        "up --model volume --latency-ms -1 | --latency-ms must be from 0 to 1000 milliseconds: -1",
        "up --model volume --credits 1h | --credits must be from 0 to 100000 seconds: 1h",
        "up --model volume --burst 0.5 | --burst must be from 1 to 100 times the limits: 0.5",
        "up --memory 1G | up takes the options --mount --size --model --mbps --seek-ms --iops --latency-ms --credits --burst: --memory",
        "up now | up takes the options --mount --size --model --mbps --seek-ms --iops --latency-ms --credits --burst: now",
        "run | run needs a command after --",
        "run -- | run needs a command after --",
        "run --memory 1T -- true | --memory must be from 64M to 1024G, such as 512M or 2G: 1T",
        "run true | run takes the options --memory --keep-cache: true",
        "down --size 1G | down takes the options --mount: --size",
        "demo --rounds 3 | demo takes the options --mount --size --model --mbps --seek-ms --iops --latency-ms --credits --burst --memory --keep-cache --docs --out: --rounds"
      })
  void wrongUsage_inEachWay_isRefusedByItsRule(String arguments, String message) throws Exception {
    Result result = slowDisk(arguments);

    assertEquals(List.of("slow-disk: " + message + TELLS_MORE), result.err());
    assertEquals(2, result.exitCode());
    assertEquals(List.of(), result.out());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "up",
        "up --mbps 10000.0 --seek-ms 1000 --size 1024G",
        "run --keep-cache --memory 64M -- true",
        "down",
        "demo"
      })
  void anything_withoutRoot_isRefused(String arguments) throws Exception {
    sandbox.putOnPath("id", "echo 1000");

    Result result = slowDisk(arguments);

    assertEquals(
        List.of("slow-disk: needs root, to mount a disk and to bound the page cache: try sudo"),
        result.err());
    assertEquals(1, result.exitCode());
  }

  @Test
  void up_withoutItsTools_namesThemAndTheirPackages() throws Exception {
    Result result = slowDisk("up");

    assertEquals(
        List.of(
            "slow-disk: missing: gcc nbdkit nbdfuse losetup mkfs.ext4 setsid (Debian: apt-get install"
                + " gcc libc6-dev nbdkit nbdkit-plugin-dev libnbd-bin e2fsprogs)"),
        result.err());
    assertEquals(1, result.exitCode());
  }

  @Test
  void demo_intoADirectoryThatIsThere_isRefused() throws Exception {
    Result result = slowDisk("demo --out " + sandbox.callersDirectory);

    assertEquals(
        List.of("slow-disk: --out must not exist yet: " + sandbox.callersDirectory), result.err());
    assertEquals(1, result.exitCode());
  }

  private Result slowDisk(String arguments) throws Exception {
    String script = sandbox.script("tools/slow-disk");
    String line = "script=$1; shift; exec \"$script\" " + arguments;
    return sandbox.run("bash", "-c", line, "-", script);
  }
}
