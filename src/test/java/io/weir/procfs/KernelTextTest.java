package io.weir.procfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalLong;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

/** What the parsers make of text that no kernel should print, and of numbers at the edges. */
class KernelTextTest {

  private static final OptionalLong ABSENT = OptionalLong.empty();
  private static final OptionalLong PAGE = OptionalLong.of(4096);

  @Example
  void number_isFoundOnlyByItsWholeKey() {
    KeyedNumbers lines = new KeyedNumbers("nr_dirtied 7\nxnr_dirty 8\nnr_dirty\t9\n");

    assertEquals(OptionalLong.of(9), lines.number("nr_dirty"));
    assertEquals(OptionalLong.of(7), lines.number("nr_dirtied"));
    assertEquals(ABSENT, lines.number("nr"));
  }

  @Example
  void number_onALastLineWithoutItsEnd_isRead() {
    assertEquals(OptionalLong.of(12), new KeyedNumbers("a 1\nb 12").number("b"));
    assertEquals(ABSENT, new KeyedNumbers("a 1\nb").number("b"));
  }

  /** From Linux 5.9 on there is a second key, of pages that belong to no file. */
  @Example
  void vmStat_ofPagesReadAgain_countsThoseOfFilesUnderEitherKey() {
    assertEquals(
        OptionalLong.of(9 * 4096),
        VmStat.parse("workingset_refault_anon 5\nworkingset_refault_file 9\n", PAGE)
            .refaultedBytes());
    assertEquals(
        OptionalLong.of(7 * 4096),
        VmStat.parse("workingset_refault 7\nworkingset_activate 3\n", PAGE).refaultedBytes());
    assertEquals(ABSENT, VmStat.parse("workingset_refault_anon 5\n", PAGE).refaultedBytes());
    assertEquals(ABSENT, VmStat.parse("workingset_refault_file 9\n", ABSENT).refaultedBytes());
  }

  @Example
  void cpuTimes_tooShortOrNoNumbers_isAbsent() {
    CpuTimes absent = new CpuTimes(ABSENT, ABSENT, ABSENT);
    assertEquals(absent, CpuTimes.parse("cpu  1 2 3 4 5 6 7\n")); // before Linux 2.6.11
    assertEquals(absent, CpuTimes.parse("cpu  1 2 3 x 5 6 7 8\n"));
    assertEquals(absent, CpuTimes.parse("cpu0 1 2 3 4 5 6 7 8\n"));
    assertEquals(absent, CpuTimes.parse(""));
    assertEquals(
        new CpuTimes(OptionalLong.of(36), OptionalLong.of(19), OptionalLong.of(8)),
        CpuTimes.parse("cpu 1 2 3 4 5 6 7 8\n"));
  }

  @Example
  void deviceIo_ofALine_isInBytesAndMilliseconds() {
    assertEquals(
        Optional.of(new DeviceIo(10, 8192, 20, 16384, OptionalLong.of(1), OptionalLong.of(2))),
        DeviceIo.parse("  10 2 16 5 20 3 32 7 0 1 2 "));
    assertEquals(
        Optional.of(new DeviceIo(10, 8192, 20, 16384, ABSENT, ABSENT)),
        DeviceIo.parse("10 2 16 5 20 3 32"));
    assertEquals(Optional.empty(), DeviceIo.parse("10 2 16"));
    assertEquals(Optional.empty(), DeviceIo.parse("10 2 x 5 20 3 32 7"));
  }

  @Example
  void memInfo_inAnotherUnit_isAbsent() {
    MemInfo info = MemInfo.parse("Dirty: 5 MB\nWriteback: 5\nMemTotal: 5 kB\n");

    assertEquals(new MemInfo(OptionalLong.of(5120), ABSENT, ABSENT, ABSENT), info);
  }

  @Example
  void numbers_thatOverflow_areAbsent() {
    assertEquals(OptionalLong.of(Long.MAX_VALUE), KeyedNumbers.parse("9223372036854775807"));
    for (String garbage :
        new String[] {
          "9223372036854775808",
          "9999999999999999999",
          "18446744073709551615",
          "-1",
          "",
          "+1",
          "1e3",
          "0x10",
          "١"
        }) {
      assertEquals(ABSENT, KeyedNumbers.parse(garbage), garbage);
    }
    assertEquals(
        new MemInfo(ABSENT, ABSENT, ABSENT, ABSENT),
        MemInfo.parse("MemTotal: 9007199254740992 kB\n"));
    assertEquals(ABSENT, VmStat.parse("nr_dirtied 2251799813685248\n", PAGE).dirtiedBytes());
    assertEquals(
        OptionalLong.of(2251799813685247L * 4096),
        VmStat.parse("nr_dirtied 2251799813685247\n", PAGE).dirtiedBytes());
  }

  @Example
  void pressure_garbageBesideTheTotal_isPassedOver() {
    for (String garbage : new String[] {"NaN", "1e1.0", "100.01", "-1.0", "7", ".", "1.", "1.5d"}) {
      assertEquals(
          new Pressure(OptionalLong.of(5), ABSENT),
          Pressure.parse("some avg10=" + garbage + " total=5\n"),
          garbage);
    }
  }

  @Property
  void pageSize_isFoundInEitherByteOrder(@ForAll boolean bigEndian, @ForAll Power power) {
    ByteOrder order = bigEndian ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    ByteBuffer auxv = ByteBuffer.allocate(48).order(order);
    auxv.putLong(33).putLong(0x7f5f3401d000L).putLong(6).putLong(power.bytes).putLong(0).putLong(0);

    assertEquals(OptionalLong.of(power.bytes), PageSize.parse(auxv.array(), order));
  }

  @Example
  void pageSize_implausibleMissingOrAfterTheEnd_isAbsent() {
    assertEquals(ABSENT, PageSize.parse(pairs(6, 4097), ByteOrder.BIG_ENDIAN));
    assertEquals(ABSENT, PageSize.parse(pairs(6, 1), ByteOrder.BIG_ENDIAN));
    assertEquals(ABSENT, PageSize.parse(pairs(6, Long.MIN_VALUE), ByteOrder.BIG_ENDIAN));
    assertEquals(ABSENT, PageSize.parse(pairs(17, 100), ByteOrder.BIG_ENDIAN));
    assertEquals(ABSENT, PageSize.parse(pairs(0, 0, 6, 4096), ByteOrder.BIG_ENDIAN));
    assertEquals(ABSENT, PageSize.parse(new byte[] {6, 0, 0}, ByteOrder.LITTLE_ENDIAN));
  }

  @Property(tries = 2000)
  void parsers_ofAnyBytes_neverThrow(@ForAll @Size(max = 400) byte[] bytes) {
    readAll(new String(bytes, StandardCharsets.UTF_8), bytes);
  }

  @Property(tries = 2000)
  void parsers_ofNearlyKernelText_neverThrow(@ForAll("nearly") String text) {
    readAll(text, text.getBytes(StandardCharsets.UTF_8));
  }

  @Property
  void memInfo_linesInAnyCompany_areRead(
      @ForAll("nearly") String before, @ForAll @LongRange(min = 0, max = 1L << 50) long kibibytes) {
    String noise = before.replace("Dirty:", "Dirtier:");

    assertEquals(
        OptionalLong.of(kibibytes << 10),
        MemInfo.parse(noise + "\nDirty:   " + kibibytes + " kB\n").dirtyBytes());
  }

  @Provide
  Arbitrary<String> nearly() {
    return Arbitraries.of(
            "Dirty:",
            "MemTotal:",
            " ",
            "\n",
            "kB",
            "4096",
            "99999999999999999999",
            "some",
            "full",
            "avg10=",
            "total=",
            ".",
            "nr_dirtied",
            "workingset_refault",
            "_file",
            "read_bytes:",
            "-",
            "0::",
            "4:memory:",
            "/",
            "/..",
            "1 2 8:1 / / rw - cgroup2 x rw",
            "1 2 8:1 /a /b rw - cgroup x rw,memory",
            "\\040",
            "\0",
            "max",
            ":",
            ",")
        .list()
        .ofMaxSize(40)
        .map(parts -> String.join("", parts));
  }

  private static void readAll(String text, byte[] bytes) {
    assertNotNull(MemInfo.parse(text));
    assertNotNull(VmStat.parse(text, PAGE));
    assertNotNull(IoCounters.parse(text));
    assertNotNull(Pressure.parse(text));
    assertNotNull(PageSize.parse(bytes, ByteOrder.nativeOrder()));
    assertNotNull(new CgroupReader(path -> Optional.of(text)).read(text, Mount.visible(text)));
    for (Mount mount : Mount.visible(text)) {
      assertTrue(mount.mountPoint().startsWith("/"));
      Kernels.procfs(Kernels.V6_18_HYBRID).blockDevice(mount);
    }
  }

  private static byte[] pairs(long... words) {
    ByteBuffer buffer = ByteBuffer.allocate(words.length * Long.BYTES);
    for (long word : words) {
      buffer.putLong(word);
    }
    return buffer.array();
  }

  /** Page sizes that kernels are built with. */
  enum Power {
    FOUR_KIB(4 << 10),
    SIXTEEN_KIB(16 << 10),
    SIXTY_FOUR_KIB(64 << 10);

    private final long bytes;

    Power(long bytes) {
      this.bytes = bytes;
    }
  }
}
