package io.weir.procfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Threads of a process in a container, where they have other numbers. */
class ThreadsOfAnotherProcessTest {

  @TempDir Path root;
  private Path thread;
  private Procfs other;

  @BeforeEach
  void make() throws IOException {
    thread = Files.createDirectories(root.resolve("proc/4711/task/4718"));
    Files.writeString(thread.resolve("stat"), "4718 (merge) D 1 0\n");
    Files.writeString(thread.resolve("status"), "Name:\tmerge\nNSpid:\t4718\t8\n");
    other = new Procfs(root).of(4711);
  }

  @Test
  void innerNumber_ofAThread_isThatOfItsNamespace() {
    assertEquals(OptionalLong.of(8), other.innerNumber(4718));
    assertEquals(OptionalLong.empty(), other.innerNumber(4719));
  }

  @Test
  void isForPage_ofAThreadThatWaitsOutsideASystemCall_isTrue() throws IOException {
    Files.writeString(thread.resolve("syscall"), "-1 0x7ffd8f00 0x7f1e0000\n");

    assertTrue(other.waitOf(4718).isForPage());
  }

  @Test
  void isForPage_ofAnyOtherThread_isFalse() throws IOException {
    assertFalse(other.waitOf(4718).isForPage(), "unknown");
    Files.writeString(thread.resolve("syscall"), "17 0x3 0x7ffd8f00 0x7f1e0000\n");
    assertFalse(other.waitOf(4718).isForPage(), "a read");
    Files.writeString(thread.resolve("syscall"), "-1 0x7ffd8f00 0x7f1e0000\n");
    Files.writeString(thread.resolve("stat"), "4718 (merge) S 1 0\n");
    assertFalse(other.waitOf(4718).isForPage(), "it sleeps");
    assertFalse(other.waitOf(4719).isForPage(), "there is none");
  }
}
