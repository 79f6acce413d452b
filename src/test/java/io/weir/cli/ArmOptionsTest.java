package io.weir.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.rate.Rate;
import io.weir.store.DropWritten;
import io.weir.stress.plan.Arm;
import io.weir.stress.setting.ArmSettings;
import io.weir.stress.setting.CacheState;
import io.weir.stress.setting.CompoundFiles;
import io.weir.stress.setting.DirectoryKind;
import io.weir.stress.setting.IdPostings;
import io.weir.stress.setting.MergeWorkload;
import io.weir.stress.setting.Preset;
import io.weir.stress.setting.Unmapping;
import io.weir.stress.setting.UpdateMode;
import java.time.Duration;
import java.util.List;
import java.util.StringJoiner;
import org.junit.jupiter.api.Test;

class ArmOptionsTest {

  private static final String KNOWN =
      "--arm knows the settings after, before, cache, cap, commits-per-minute, compound, directory, drop-written, during, full-flush-wait, id-postings, jvm, jvm-args, lucene-force-merge-cap,"
          + " merge, mode, preset, readers-first, reopens-per-second, searches-per-second, small-files,"
          + " unmap, updates-per-second, warmer, warmup, writeback: ";

  @Test
  void arm_nothingSet_hasTheDefaults() {
    assertEquals(
        new ArmSettings(
            Preset.WEIR,
            Rate.UNLIMITED,
            null,
            Duration.ZERO,
            1 << 20,
            DropWritten.NEVER,
            64 << 10,
            Unmapping.DEFERRED,
            true,
            true,
            IdPostings.RESIDENT,
            CompoundFiles.DEFAULT,
            DirectoryKind.MMAP,
            CacheState.AS_IS,
            MergeWorkload.FORCED,
            UpdateMode.UPDATE,
            50,
            4,
            20,
            0,
            Duration.ofSeconds(5),
            Duration.ofSeconds(10),
            Duration.ofSeconds(20),
            Duration.ofSeconds(10),
            null,
            List.of()),
        settings("plain:"));
  }

  @Test
  void arm_eachKey_isRead() {
    assertEquals(
        new ArmSettings(
            Preset.WEIR,
            Rate.perSecond(10_000_000),
            5_000_000L,
            Duration.ofMillis(250),
            256 << 10,
            DropWritten.ALWAYS,
            4000,
            Unmapping.INLINE,
            false,
            false,
            IdPostings.DEFAULT,
            CompoundFiles.ALWAYS,
            DirectoryKind.MMAP,
            CacheState.COLD,
            MergeWorkload.NATURAL,
            UpdateMode.ADD,
            1.5,
            2,
            0,
            7.5,
            Duration.ofSeconds(1),
            Duration.ofSeconds(2),
            Duration.ofSeconds(3),
            Duration.ofSeconds(4),
            "bin/java",
            List.of("-XX:+UseZGC", "-Xmx2g")),
        settings(
            "all: preset=weir, cap=10MB/s, lucene-force-merge-cap=5MB/s,full-flush-wait=250ms, writeback=256KiB, drop-written=always, small-files=4kB, unmap=inline, warmer=off, readers-first=off, id-postings=default, compound=always, directory=mmap, cache=cold, merge=natural , mode=ADD,"
                + " updates-per-second=1.5, reopens-per-second=2, searches-per-second=0, commits-per-minute=7.5, warmup=1s,"
                + " before=2s, during=3s, after=4s, jvm=bin/java, jvm-args=-XX:+UseZGC  -Xmx2g"));
  }

  @Test
  void arm_stock_hasNoCap() {
    assertNull(settings("stock: preset=stock").cap());
  }

  @Test
  void arm_stock_hasNothingOfOurs() {
    ArmSettings stock = settings("stock: preset=stock");

    assertEquals(0, stock.writebackRangeBytes());
    assertEquals(0, stock.smallFileBytes());
    assertEquals(Unmapping.INLINE, stock.unmap());
    assertFalse(stock.warmer());
    assertFalse(stock.readersFirst());
    assertEquals(IdPostings.DEFAULT, stock.idPostings());
    assertNull(stock.fullFlushWait());
  }

  /** To see what one of them does alone. */
  @Test
  void arm_stockWithOneCure_hasThatOne() {
    ArmSettings smoothed = settings("smoothed: preset=stock, writeback=4MiB");

    assertEquals(4 << 20, smoothed.writebackRangeBytes());
    assertEquals(0, smoothed.smallFileBytes());
    assertEquals(Unmapping.INLINE, smoothed.unmap());
    assertEquals(DropWritten.NEVER, smoothed.dropWritten());
    assertEquals(0, settings("rough: writeback=off").writebackRangeBytes());
    assertEquals(DropWritten.NEVER, settings("rough: writeback=off").dropWritten());
    assertEquals(DropWritten.NEVER, settings("usual: preset=weir").dropWritten());
  }

  /** There is nothing that small files could be spared. */
  @Test
  void arm_thatMapsNothing_hasNoSmallFilesUnlessAsked() {
    ArmSettings nio = settings("x: directory=nio");

    assertEquals(DirectoryKind.NIO, nio.directory());
    assertEquals(0, nio.smallFileBytes());
    assertRefused(
        "small-files needs directory=mmap, because with directory=nio it does nothing:"
            + " small-files=4KiB",
        "x: directory=nio, small-files=4KiB");
    assertEquals(64 << 10, settings("x: preset=stock, small-files=64KiB").smallFileBytes());
    assertEquals(0, settings("x: small-files=off").smallFileBytes());
  }

  /** What is for a disk is off by itself, and cannot be had. */
  @Test
  void arm_onTheHeap_hasNothingForADiskAndCannotHaveIt() {
    ArmSettings heap = settings("x: directory=heap");

    assertEquals(DirectoryKind.HEAP, heap.directory());
    assertEquals(0, heap.writebackRangeBytes());
    assertEquals(0, heap.smallFileBytes());
    assertFalse(heap.readersFirst());
    assertEquals(IdPostings.RESIDENT, heap.idPostings());
    assertEquals(Rate.UNLIMITED, heap.cap());
    assertRefused(
        "writeback needs a directory on a disk, because with directory=heap nothing is written to"
            + " one: writeback=1MiB",
        "x: directory=heap, writeback=1MiB");
    assertRefused(
        "readers-first=on needs a directory on a disk, because with directory=heap nobody waits for"
            + " one: directory=heap",
        "x: directory=heap, readers-first=on");
    assertRefused(
        "small-files needs directory=mmap, because with directory=heap it does nothing:"
            + " small-files=64KiB",
        "x: preset=stock, directory=heap, small-files=64KiB");
  }

  @Test
  void arm_stockWithACap_isRefused() {
    assertRefused(
        "cap needs preset=weir, because preset=stock has nothing that could cap: cap=unlimited",
        "x: preset=stock, cap=off");
  }

  @Test
  void arm_optionsOfTheRun_areTakenUnlessOverridden() {
    ArmOptions options =
        new ArmOptions().with("merge", "none").with("before", "3s").with("after", null);

    ArmSettings settings = options.arm("x: before=4s").settings();

    assertEquals(MergeWorkload.NONE, settings.merge());
    assertEquals(Duration.ofSeconds(4), settings.before());
    assertEquals(Duration.ofSeconds(10), settings.after());
  }

  @Test
  void arm_mode_isOfTheRunUnlessOverridden() {
    ArmOptions options = new ArmOptions().with("mode", "soft-update");

    assertEquals(UpdateMode.SOFT_UPDATE, options.arm("x:").settings().mode());
    assertEquals(UpdateMode.ADD, options.arm("x: mode=add").settings().mode());
    assertEquals("soft-update", options.arm("x:").settings().describe().get("mode"));
  }

  @Test
  void arm_withoutAName_isItsOwnName() {
    Arm arm = new ArmOptions().arm("cap=10MB/s");

    assertEquals("cap=10MB/s", arm.name());
    assertEquals(Rate.perSecond(10_000_000), arm.settings().cap());
  }

  @Test
  void arm_colonInAValue_isNoName() {
    Arm arm = new ArmOptions().arm("jvm-args=-XX:+UseZGC");

    assertEquals("jvm-args=-XX:+UseZGC", arm.name());
    assertEquals(List.of("-XX:+UseZGC"), arm.settings().jvmArguments());
  }

  @Test
  void arm_commaInJvmArguments_isPartOfThem() {
    assertEquals(
        List.of("-Xlog:gc*,safepoint:file=gc.log", "-Xmx1g"),
        settings("x: jvm-args=-Xlog:gc*,safepoint:file=gc.log -Xmx1g, cap=off").jvmArguments());
  }

  /** It was one argument without a character, which java takes for the name of the class. */
  @Test
  void arm_emptyJvmArguments_areNone() {
    assertEquals(List.of(), settings("x: jvm-args=").jvmArguments());
    assertEquals(List.of(), settings("x: cap=off, jvm-args= ").jvmArguments());
  }

  @Test
  void arm_unknownKey_isRefusedWithTheKnownOnes() {
    assertRefused(KNOWN + "'capp' in 'x: capp=1MB/s'", "x: capp=1MB/s");
    assertRefused(KNOWN + "'Cap' in 'x: Cap=1MB/s'", "x: Cap=1MB/s");
  }

  @Test
  void arm_noKeyAndValue_isRefused() {
    assertRefused(
        "--arm must be NAME: key=value, key=value, ...; no key=value: 'stock' in 'stock'", "stock");
  }

  @Test
  void arm_sameKeyTwice_isRefused() {
    assertRefused("--arm must set cap once: 'x: cap=off, cap=1MB/s'", "x: cap=off, cap=1MB/s");
  }

  @Test
  void arm_badValue_namesTheKeyAndTheRule() {
    assertRefused("cap must be a rate such as 10MB/s or 512KiB/s, or off: fast", "x: cap=fast");
    assertRefused("merge must be one of forced, natural, none: big", "x: merge=big");
    assertRefused("unmap must be one of deferred, inline: late", "x: unmap=late");
    assertRefused("warmer must be one of on, off: yes", "x: warmer=yes");
    assertRefused("readers-first must be one of on, off: 1", "x: readers-first=1");
    assertRefused(
        "readers-first=on needs preset=weir, because Lucene's scheduler asks nobody: preset=stock",
        "x: preset=stock, readers-first=on");
    assertRefused("directory must be one of mmap, nio, direct, heap: ram", "x: directory=ram");
    assertRefused("cache must be one of as-is, cold, warm: hot", "x: cache=hot");
    assertRefused("cache must be one of as-is, cold, warm: as_is", "x: cache=as_is");
    assertRefused("writeback must be a size such as 1MiB or 512KiB, or off: 1", "x: writeback=1");
    assertRefused(
        "writeback must be off or a multiple of 64KiB, from 64KiB to 1024MiB: 1KiB",
        "x: writeback=1KiB");
    assertRefused(
        "drop-written needs writeback, because what is not on the disk cannot be dropped:"
            + " writeback=off, drop-written=large",
        "x: writeback=off, drop-written=large");
    assertRefused(
        "drop-written must be one of never, large, always: sometimes", "x: drop-written=sometimes");
    assertRefused("small-files must be off or from 1B to 1MiB: 2MiB", "x: small-files=2MiB");
    assertRefused("mode must be one of update, soft-update, add: delete", "x: mode=delete");
    assertRefused(
        "mode must be one of update, soft-update, add: soft_update", "x: mode=soft_update");
    assertRefused(
        "compound must be one of default, always, never: sometimes", "x: compound=sometimes");
    assertRefused("preset must be one of weir, stock: es", "x: preset=es");
    assertRefused("before must be a duration such as 10s, 500ms or 2m: 10", "x: before=10");
    assertRefused(
        "commits-per-minute must be a number per minute: few", "x: commits-per-minute=few");
    assertRefused(
        "updates-per-second must be a number per second: many", "x: updates-per-second=many");
    assertRefused(
        "updates-per-second must be from 0 to 100000 per second: -3", "x: updates-per-second=-3");
  }

  @Test
  void arm_noName_isRefused() {
    assertRefused(
        "arm name must have from 1 to 60 bytes of UTF-8 and no control characters: ''",
        ": cap=off");
  }

  /** What run.json says of an arm can be given to --arm again. */
  @Test
  void arm_fromItsOwnDescription_isTheSame() {
    for (String text :
        List.of(
            "a: cap=1.5GiB/s, jvm-args=-Xlog:gc,safepoint -Xmx2g, reopens-per-second=0.25",
            "b: preset=stock, lucene-force-merge-cap=3MB/s, merge=none, during=2500ms, mode=add, commits-per-minute=0.5",
            "d: preset=stock, writeback=192KiB, unmap=deferred, warmer=on, directory=direct",
            "f: preset=stock, small-files=12345B, writeback=off",
            "g: directory=nio",
            "j: mode=soft-update, compound=always",
            "k: preset=stock, compound=never",
            "h: directory=heap, cache=warm, jvm-args=-Xmx4g",
            "i: preset=stock, directory=heap, cache=as-is, id-postings=resident",
            "e: writeback=off, small-files=off, unmap=inline, warmer=off, readers-first=off",
            "c: after=24h, warmup=0s, updates-per-second=0")) {
      ArmSettings settings = settings(text);
      StringJoiner described = new StringJoiner(", ", "x: ", "");
      settings.describe().forEach((key, value) -> described.add(key + "=" + value));

      assertEquals(settings.describe(), settings(described.toString()).describe());
    }
  }

  private static ArmSettings settings(String arm) {
    return new ArmOptions().arm(arm).settings();
  }

  private static void assertRefused(String message, String arm) {
    assertEquals(
        message,
        assertThrows(IllegalArgumentException.class, () -> new ArmOptions().arm(arm)).getMessage());
  }
}
