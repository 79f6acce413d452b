package io.weir.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.procfs.CgroupVersion;
import io.weir.procfs.Procfs;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class HostProbeTest {

  private static final Environment.DirtySettings NO_SETTINGS =
      new Environment.DirtySettings(null, null, null, null, null, null);

  @TempDir Path directory;

  @Test
  @EnabledOnOs(OS.LINUX)
  void read_onThisMachine_agreesWithTheKernel() throws IOException {
    Environment found = HostProbe.read(directory, Procfs.SYSTEM);

    assertEquals(
        Procfs.SYSTEM.memInfo().orElseThrow().memTotalBytes().orElseThrow(), found.memoryBytes());
    assertEquals(Files.readString(Path.of("/proc/sys/kernel/osrelease")).strip(), found.kernel());
    assertEquals(Files.getFileStore(directory).type(), found.storage().fileSystemType());
    assertEquals(Files.getFileStore(directory).getTotalSpace(), found.storage().totalBytes());
    assertTrue(directory.toRealPath().startsWith(found.storage().mount()));
    assertTrue(found.storage().usableBytes() <= found.storage().totalBytes());
    assertNotNull(found.dirtySettings().dirtyExpireCentisecs());
    assertEquals(Procfs.SYSTEM.cgroup().orElseThrow().version(), found.cgroup().version());
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void read_onLinux_hasOshisPartWithoutANativeLibrary() {
    Environment found = HostProbe.read(directory, Procfs.SYSTEM);

    assertFalse(found.cpu().model().isBlank());
    assertTrue(found.cpu().physicalCores() <= found.cpu().logicalCores());
    assertTrue(found.cpu().logicalCores() >= Runtime.getRuntime().availableProcessors());
    assertFalse(found.os().name().isBlank());
    assertFalse(found.os().version().isBlank());
  }

  @Test
  void read_thisJvm_isTheOneThatAsks() {
    Environment.Jvm jvm = HostProbe.read(directory, new Procfs(directory)).jvm();

    assertEquals(Runtime.version().toString(), jvm.version());
    assertEquals(Runtime.getRuntime().maxMemory(), jvm.maxHeapBytes());
    assertTrue(jvm.flags().contains("-ea"), jvm.flags().toString());
  }

  @Test
  void read_withOshiFailing_hasItsPartAbsentAndTheRestPresent() {
    for (Throwable fault :
        List.of(new IllegalStateException("no provider"), new UnsatisfiedLinkError("no native"))) {
      Environment found =
          HostProbe.read(
              directory,
              new Procfs(directory),
              () -> {
                throw HostProbeTest.<RuntimeException>sneaky(fault);
              });

      assertEquals(new Environment.Cpu(null, null, null), found.cpu());
      assertEquals(new Environment.OperatingSystem(null, null), found.os());
      assertNull(found.memoryBytes());
      assertNull(found.virtualization());
      assertNotNull(found.jvm().version());
      assertNotNull(found.storage().totalBytes());
    }
  }

  @Test
  void read_withoutOshiOnTheClassPath_stillAnswers() throws Exception {
    URL weir = HostProbe.class.getProtectionDomain().getCodeSource().getLocation();
    try (URLClassLoader alone =
        new URLClassLoader(new URL[] {weir}, ClassLoader.getPlatformClassLoader())) {
      Class<?> procfs = alone.loadClass(Procfs.class.getName());
      Object found =
          alone
              .loadClass(HostProbe.class.getName())
              .getMethod("read", Path.class, procfs)
              .invoke(null, directory, procfs.getConstructor(Path.class).newInstance(directory));

      assertTrue(found.toString().contains("cpu=Cpu[model=null"), found.toString());
    }
  }

  @Test
  void read_withoutProcfs_takesMemoryFromOshiAndStorageFromTheJdk() throws IOException {
    Environment found =
        HostProbe.read(
            directory,
            new Procfs(directory),
            () -> new HardwareFacts("M1", 8, 8, 17L << 30, "macOS", "15", null));

    assertEquals(17L << 30, found.memoryBytes());
    assertEquals(Files.getFileStore(directory).type(), found.storage().fileSystemType());
    assertNull(found.storage().mount());
    assertNull(found.storage().rotational());
    assertNull(found.kernel());
    assertNull(found.cgroup());
    assertEquals(NO_SETTINGS, found.dirtySettings());
  }

  @Test
  void read_ofADirectoryThatDoesNotExistYet_describesItsNearestParent() {
    Environment.Storage there = HostProbe.read(directory, Procfs.SYSTEM).storage();
    Environment.Storage below = HostProbe.read(directory.resolve("a/b"), Procfs.SYSTEM).storage();

    assertEquals(there.device(), below.device());
    assertEquals(there.totalBytes(), below.totalBytes());
  }

  @Test
  void environment_throughJson_isTheSameAgain() throws IOException {
    Environment found =
        new Environment(
            new Environment.Cpu("EPYC", null, 2),
            1L << 40,
            new Environment.OperatingSystem("Debian", "12"),
            "6.18.44",
            new Environment.Jvm("25", "Adoptium", "OpenJDK", List.of("-Xmx1g"), 1 << 30),
            new Environment.Storage("ext4", "/", "/dev/vda", null, true, 10L, 0L),
            new Environment.DirtySettings(20L, 10L, 0L, 0L, 3000L, null),
            new Environment.ControlGroup(CgroupVersion.V2, null),
            null);
    ObjectMapper json = new ObjectMapper();

    JsonNode tree = json.valueToTree(found);
    assertEquals("ext4", tree.at("/storage/fileSystemType").textValue());
    assertEquals(1L << 40, tree.at("/memoryBytes").longValue());
    assertEquals(found, json.treeToValue(tree, Environment.class));
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> RuntimeException sneaky(Throwable fault) throws T {
    throw (T) fault;
  }
}
