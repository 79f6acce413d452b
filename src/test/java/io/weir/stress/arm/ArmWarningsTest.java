package io.weir.stress.arm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.fakes.AutoClock;
import io.weir.merge.MergeKind;
import io.weir.run.ArmFigures;
import io.weir.run.MergeFigures;
import io.weir.run.Phase;
import io.weir.run.RunWarning;
import io.weir.run.Values;
import io.weir.stress.QuickMerge;
import io.weir.stress.arm.load.OpenLoop;
import io.weir.stress.arm.load.Schedule;
import io.weir.stress.arm.load.TargetRate;
import io.weir.stress.arm.meters.CapWatch;
import io.weir.stress.arm.meters.Refaults;
import io.weir.stress.arm.timeline.Timeline;
import io.weir.stress.setting.LoadRate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ArmWarningsTest {

  private static final Values GOOD = QuickMerge.charged(5_000).build();

  private final AutoClock clock = new AutoClock();
  private final Timeline timeline = new Timeline(clock, Duration.ZERO);
  private final OpenLoop loop =
      new OpenLoop(
          TargetRate.perSecond("searches", LoadRate.steady(2)),
          Schedule.even(TargetRate.perSecond("searches", LoadRate.steady(2)), 0),
          timeline,
          (due, started) -> clock.advanceNanos(60_000_000_000L));

  @Test
  void of_aGoodArm_isNothing() {
    loop.latency().record(Phase.BEFORE, 900_000_000);

    assertEquals(List.of(), ofLoop(loop, false));
    assertEquals(List.of(), ArmWarnings.ofMerge(GOOD, false));
    assertEquals(List.of(), ArmWarnings.ofCap(CapWatch.Trouble.NONE));
  }

  @Test
  void of_writebackThatWorked_isNothing() {
    assertEquals(List.of(), of("sync_file_range", "it answers", 0));
  }

  @Test
  void of_writebackByAnotherMethod_saysWhy() {
    RunWarning nothing = of("none", "tmpfs is memory", 0).get(0);
    assertEquals("writeback did nothing", nothing.what());
    assertEquals("tmpfs is memory", nothing.cause());

    RunWarning slow = of("fdatasync", "Java 21", 0).get(0);
    assertEquals("writeback was done by fdatasync, for which merges wait longer", slow.what());
    assertEquals("Java 21", slow.cause());
  }

  @Test
  void of_writebackWithFaults_countsThem() {
    assertEquals(
        List.of("writeback failed for 3 files, which were written on without it"),
        of("sync_file_range", "it answers", 3).stream().map(RunWarning::what).toList());
  }

  private static List<RunWarning> of(String method, String reason, long faults) {
    return ArmWarnings.ofMerge(
        QuickMerge.charged(5_000)
            .put(MergeFigures.WRITEBACK_METHOD, method)
            .put(MergeFigures.WRITEBACK_REASON, reason)
            .put(MergeFigures.WRITEBACK_FAULTS, faults)
            .build(),
        false);
  }

  @Test
  void of_moreThanHalfOfSearchesWithoutAHit_saysHowMany() {
    assertEquals(List.of(), of(0, 0));
    assertEquals(List.of(), of(10, 5));
    assertEquals(
        List.of(
            new RunWarning(
                "6 of 11 searches found no document, and so had nothing to read",
                "the queries are of another index, or their terms are not as this index has them",
                "queries drawn from this index: --queries terms or --queries mixed")),
        of(11, 6));
  }

  private static List<RunWarning> of(long searches, long withoutHits) {
    List<RunWarning> warnings = new ArrayList<>();
    ArmWarnings.addNothingFound(
        warnings,
        Values.builder()
            .put(ArmFigures.SEARCHES, searches)
            .put(ArmFigures.SEARCHES_WITHOUT_HITS, withoutHits)
            .build());
    return warnings;
  }

  @Test
  void ofRecovery_aCacheThatStillLacksWhatWasEvicted_asksForALongerPhase() {
    assertEquals(
        List.of(
            new RunWarning(
                "the page cache had not recovered when the arm ended: 40.0 MB/s were evicted and"
                    + " read again in the first fifth of the phase after the merge, 20.1 MB/s in"
                    + " the last",
                "searches had not yet read again what the merge had evicted",
                "ask for a longer --after")),
        ArmWarnings.ofRecovery(new Refaults.Recovery(0, 40e6, 20.1e6)));
    assertEquals(List.of(), ArmWarnings.ofRecovery(new Refaults.Recovery(0, 40e6, 20e6)));
  }

  /** No length of the phase brings an index into a memory that is smaller. */
  @Test
  void ofRecovery_aCacheAsItWasBeforeTheMerge_isNothing() {
    assertEquals(List.of(), ArmWarnings.ofRecovery(new Refaults.Recovery(20e6, 40e6, 30e6)));
    assertEquals(1, ArmWarnings.ofRecovery(new Refaults.Recovery(20e6, 40e6, 30.1e6)).size());
    assertEquals(List.of(), ArmWarnings.ofRecovery(new Refaults.Recovery(0, 0, 0)));
    assertEquals(List.of(), ArmWarnings.ofRecovery(new Refaults.Recovery(0, 0, 1e5)));
    assertEquals(1, ArmWarnings.ofRecovery(new Refaults.Recovery(0, 0, 1.01e5)).size());
  }

  @Test
  void of_halfOfALoadASecondLate_saysWhichAndWhen() {
    loop.latency().record(Phase.WARMUP, 9_000_000_000L);
    loop.latency().record(Phase.DURING, 2_000_000_000L);
    loop.latency().record(Phase.AFTER, 900_000_000);

    assertEquals(
        List.of(
            new RunWarning(
                "searches fell behind during the merge: half of them ended over 2000 ms after they"
                    + " were due",
                "the machine cannot keep up with 2 searches per second",
                "ask for a lower rate with --searches-per-second")),
        ofLoop(loop, false));
  }

  @Test
  void of_commitsThatAreLate_namesTheirOption() {
    OpenLoop commits =
        new OpenLoop(
            TargetRate.perMinute("commits", LoadRate.steady(12.5)),
            Schedule.even(TargetRate.perMinute("commits", LoadRate.steady(60)), 0),
            timeline,
            (due, started) -> {});
    commits.latency().record(Phase.DURING, 2_000_000_000L);

    RunWarning warning = ofLoop(commits, false).get(0);

    assertEquals("the machine cannot keep up with 12.5 commits per minute", warning.cause());
    assertEquals("ask for a lower rate with --commits-per-minute", warning.remedy());
  }

  @Test
  void of_levelsInTurnThatAreTooMuch_namesAllOfThem() {
    TargetRate rate =
        TargetRate.perSecond(
            "updates", new LoadRate(List.of(5.0, 60.5, 0.0), Optional.of(Duration.ofSeconds(20))));
    OpenLoop updates = new OpenLoop(rate, Schedule.even(rate, 0), timeline, (due, started) -> {});
    updates.latency().record(Phase.DURING, 2_000_000_000L);

    assertEquals(
        "the machine cannot keep up with 5, 60.5 and 0 updates per second in turn",
        ofLoop(updates, false).get(0).cause());
  }

  @Test
  void of_operationsNotBegunInTime_countsThem() throws Exception {
    abandonThree();

    List<RunWarning> warnings = ofLoop(loop, false);

    assertEquals(2, warnings.size());
    assertEquals(
        "3 searches had not begun 30 s after the end; they count with their wait until then",
        warnings.get(1).what());
  }

  /** Who stops a run need not be told that what was due just then was not done. */
  @Test
  void of_anInterruptedArm_doesNotBlameTheMachine() throws Exception {
    abandonThree();

    List<RunWarning> warnings = ofLoop(loop, true);

    assertEquals(List.of(), ArmWarnings.ofMerge(QuickMerge.charged(0).build(), true));
    assertEquals(1, warnings.size());
    assertEquals("searches fell behind before the merge", warnings.get(0).what().split(":")[0]);
  }

  @Test
  void of_aMergeThatWroteNothing_saysSo() {
    Values.Builder merge = QuickMerge.charged(0);
    assertEquals("the large merge wrote nothing", only(merge).what());
    merge.put(MergeFigures.KIND, "natural");
    assertEquals(
        "the policy found nothing to merge, perhaps because earlier merges left nothing",
        only(merge).cause());
    merge.put(MergeFigures.KIND, "none");
    assertEquals(List.of(), ArmWarnings.ofMerge(merge.build(), false));
  }

  @Test
  void of_chargedOtherThanWritten_givesBothFigures() {
    Values.Builder merge = QuickMerge.of(5_000);
    merge.put(MergeFigures.BYTES_CHARGED, 6_000L);
    assertEquals(
        "the budget granted 6000 bytes while merges wrote 5000",
        only(ArmWarnings.ofCharge(merge.build(), false)).what());
    merge.put(MergeFigures.BYTES_CHARGED, 5_000L);
    assertEquals(List.of(), ArmWarnings.ofCharge(merge.build(), false));
  }

  @Test
  void of_chargedForReadsToo_mustCoverAllThatWasWritten() {
    Values.Builder merge = QuickMerge.of(5_000);
    merge.put(MergeFigures.BYTES_CHARGED, 6_000L);
    assertEquals(List.of(), ArmWarnings.ofCharge(merge.build(), true));
    merge.put(MergeFigures.BYTES_CHARGED, 4_999L);
    assertEquals(
        "the budget granted 4999 bytes while merges wrote 5000",
        only(ArmWarnings.ofCharge(merge.build(), true)).what());
  }

  @Test
  void of_aCapThatWasLifted_saysHowOften() {
    assertEquals(
        new RunWarning(
            "the cap was lifted 3 times, so that updates need not wait for merges",
            "merges had piled up: under the cap, new segments come faster than merges end",
            "raise the cap with --arm 'cap=...', or lower --updates-per-second"),
        only(new CapWatch.Trouble(3, Optional.empty())));
    assertEquals(
        "the cap was lifted once, so that updates need not wait for merges",
        only(new CapWatch.Trouble(1, Optional.empty())).what());
  }

  @Test
  void of_aCapThatCannotKeepUp_saysWhatIsNeeded() {
    assertEquals(
        new RunWarning(
            "the cap of 50.0 kB/s cannot keep up: in the long run merges must write 3.2 MB/s",
            "updates come faster than their merges may be written",
            "a cap of at least 3.5 MB/s with --arm 'cap=...', or a lower --updates-per-second"),
        only(
            new CapWatch.Trouble(
                0, Optional.of(new CapWatch.Shortfall(50_000, 3_200_000, 3_520_000)))));
  }

  @Test
  void of_criticalMergesThatWerePaused_callsItAFault() {
    Values.Builder merge = QuickMerge.charged(5_000);
    for (MergeKind kind : MergeKind.values()) {
      merge.put(MergeFigures.PAUSES, kind, 2L).put(MergeFigures.PAUSED_SECONDS_OF, kind, 0.25);
    }
    assertEquals(
        "merges that a reopen or a commit waited for were paused, 2 times for 0.250 s",
        only(merge).what());
    merge.put(MergeFigures.PAUSES, MergeKind.CRITICAL, 0L);
    assertEquals(List.of(), ArmWarnings.ofMerge(merge.build(), false));
  }

  @Test
  void of_bytesAboveTheCap_saysHowMany() {
    Values.Builder merge = QuickMerge.charged(5_000);
    merge.put(MergeFigures.BYTES_FORGIVEN, 777L);
    assertEquals("merges wrote 777 bytes above the cap", only(merge).what());
    merge.put(MergeFigures.BYTES_FORGIVEN, 0L);
    assertEquals(List.of(), ArmWarnings.ofMerge(merge.build(), false));
  }

  @Test
  void of_aMergeAfterItsDeadline_saysHowLongItTook() {
    Values.Builder merge = QuickMerge.charged(5_000);
    merge.put(MergeFigures.SECONDS, 300.0);
    assertEquals(
        new RunWarning(
            "the forced merge took 300.0 s, and its deadline was 5.0 s",
            "the disk, the cap or a latency goal did not allow a higher rate",
            "a later deadline=..., or a higher cap=... if there is one"),
        only(ArmWarnings.ofDeadline(Duration.ofSeconds(5), merge.build())));
    assertEquals(List.of(), ArmWarnings.ofDeadline(Duration.ofSeconds(300), merge.build()));
  }

  private static RunWarning only(CapWatch.Trouble trouble) {
    return only(ArmWarnings.ofCap(trouble));
  }

  private static RunWarning only(Values.Builder merge) {
    return only(ArmWarnings.ofMerge(merge.build(), false));
  }

  private static RunWarning only(List<RunWarning> warnings) {
    assertEquals(1, warnings.size(), warnings.toString());
    return warnings.get(0);
  }

  private static List<RunWarning> ofLoop(OpenLoop loop, boolean interrupted) {
    return ArmWarnings.ofLoops(List.of(loop), interrupted);
  }

  /** Due at 0.5, 1, 1.5, 2 s; the first takes a minute. */
  private void abandonThree() throws InterruptedException {
    timeline.endAt(2_100_000_000L);
    loop.start(1);
    loop.finish();
    assertEquals(3, loop.abandoned());
  }

  @Test
  void of_residentKeysBeyondTheBoundOrFaulty_saysSoWithTheBound() {
    assertEquals(List.of(), ofKeys(0, 0));
    assertEquals(
        List.of(
            "2 dictionaries of ids were not held in memory: the bound is 1000 bytes",
            "3 dictionaries of ids were not held in memory after a fault"),
        ofKeys(2, 3));
  }

  private static List<String> ofKeys(long overBound, long faults) {
    Values keys =
        Values.builder()
            .put(ArmFigures.RESIDENT_BOUND, 1000L)
            .put(ArmFigures.RESIDENT_OVER_BOUND, overBound)
            .put(ArmFigures.RESIDENT_FAULTS, faults)
            .build();
    return ArmWarnings.ofResidentKeys(keys).stream().map(RunWarning::what).toList();
  }
}
