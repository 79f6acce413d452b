package io.weir.stress.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.stress.QuickArm;
import io.weir.stress.SmallIndex;
import io.weir.stress.index.IndexRewriter;
import io.weir.stress.plan.Arm;
import io.weir.stress.plan.IndexLayout;
import io.weir.stress.plan.QuerySource;
import io.weir.stress.plan.StressPlan;
import io.weir.stress.plan.Telemetry;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.ArmSettings;
import io.weir.stress.setting.CompoundFiles;
import io.weir.stress.setting.IdPostings;
import io.weir.stress.setting.VectorFormat;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SourceIndexesTest {

  @TempDir Path temp;

  private Path shared;
  private Path apart;

  @BeforeEach
  void name() {
    shared = temp.resolve("index");
    apart = temp.resolve("index-resident");
  }

  @Test
  void find_nothingThere_asksForOneIndexAKindOfArm() throws Exception {
    SourceIndexes both = find(IdPostings.DEFAULT, IdPostings.RESIDENT, IdPostings.DEFAULT);
    assertEquals(List.of(IndexLayout.PLAIN, SmallIndex.APART), both.missing());
    assertEquals(Set.of(shared, apart), Set.copyOf(both.needed().values()));
    assertEquals(Optional.empty(), both.origin());
    assertEquals(0, both.foundDocuments());

    both.made(IndexLayout.PLAIN);
    assertEquals(List.of(SmallIndex.APART), both.missing());
    assertEquals(Optional.of(shared), both.origin());

    assertEquals(List.of(SmallIndex.APART), find(IdPostings.RESIDENT).missing());
    assertEquals(apart, find(IdPostings.RESIDENT).first());
    assertEquals(List.of(IndexLayout.PLAIN), find(IdPostings.DEFAULT).missing());
  }

  @Test
  void find_theDefaultOneThere_isRewrittenForResidentArms() throws Exception {
    SmallIndex.build(shared, 50);
    SourceIndexes resident = find(IdPostings.RESIDENT);
    assertEquals(List.of(SmallIndex.APART), resident.missing());
    assertEquals(Optional.of(shared), resident.origin());
    assertEquals(50, resident.foundDocuments());
    assertEquals(List.of(), find(IdPostings.DEFAULT).missing());
  }

  @Test
  void find_aPair_isTaken_twoBuilds_areRefused() throws Exception {
    SmallIndex.build(shared, 50);
    new IndexRewriter(shared, apart, SmallIndex.APART).rewrite();
    assertEquals(List.of(), find(IdPostings.RESIDENT, IdPostings.DEFAULT).missing());

    IndexCopy.deleteTree(apart);
    SmallIndex.build(apart, 50, SmallIndex.APART);
    assertEquals(List.of(), find(IdPostings.RESIDENT).missing());
    assertEquals(List.of(), find(IdPostings.DEFAULT).missing());
    assertRefused(
        "--index must hold indexes of one build: delete %s or %s".formatted(shared, apart));
  }

  /** Each combination has a place of its own, and all are rewritten from one build. */
  @Test
  void find_armsWithCompoundFiles_startFromIndexesOfTheirOwn() throws Exception {
    Path packed = temp.resolve("index-compound");
    Path loose = temp.resolve("index-resident-noncompound");
    SourceIndexes three =
        find(
            arm(IdPostings.RESIDENT, CompoundFiles.NEVER),
            arm(IdPostings.DEFAULT, CompoundFiles.ALWAYS),
            arm(IdPostings.DEFAULT, CompoundFiles.DEFAULT));
    assertEquals(List.of(shared, packed, loose), List.copyOf(three.needed().values()));
    assertEquals(3, three.missing().size());

    SmallIndex.build(shared, 50);
    new IndexRewriter(
            shared,
            packed,
            new IndexLayout(IdPostings.DEFAULT, CompoundFiles.ALWAYS, VectorFormat.FLOAT))
        .rewrite();
    new IndexRewriter(
            packed,
            loose,
            new IndexLayout(IdPostings.RESIDENT, CompoundFiles.NEVER, VectorFormat.FLOAT))
        .rewrite();
    assertEquals(
        List.of(),
        find(
                arm(IdPostings.RESIDENT, CompoundFiles.NEVER),
                arm(IdPostings.DEFAULT, CompoundFiles.ALWAYS),
                arm(IdPostings.DEFAULT, CompoundFiles.DEFAULT))
            .missing());
    SourceIndexes fourth = find(arm(IdPostings.RESIDENT, CompoundFiles.ALWAYS));
    assertEquals(temp.resolve("index-resident-compound"), fourth.first());
    assertEquals(Optional.of(shared), fourth.origin(), "where Lucene's default decided");
  }

  @Test
  void find_theOtherLayoutInItsPlace_isRefused() throws Exception {
    SmallIndex.build(shared, 50, SmallIndex.APART);
    assertRefused(
        "--index DIR must hold the index that Lucene writes by default, and DIR-resident,"
            + " DIR-compound and so on those for other settings; in %s it is the wrong one"
                .formatted(shared));
  }

  private void assertRefused(String message) {
    StressException thrown =
        assertThrows(StressException.class, () -> find(IdPostings.RESIDENT, IdPostings.DEFAULT));
    assertEquals(StressException.Kind.USAGE, thrown.kind());
    assertEquals(message, thrown.getMessage());
  }

  private SourceIndexes find(IdPostings... idPostings) throws StressException {
    return find(
        Arrays.stream(idPostings)
            .map(each -> arm(each, CompoundFiles.DEFAULT))
            .toArray(ArmSettings[]::new));
  }

  private static ArmSettings arm(IdPostings idPostings, CompoundFiles compound) {
    QuickArm arm = new QuickArm();
    arm.set(ArmSetting.ID_POSTINGS, idPostings);
    arm.set(ArmSetting.COMPOUND, compound);
    return arm.settings();
  }

  private SourceIndexes find(ArmSettings... settings) throws StressException {
    List<Arm> arms = new ArrayList<>();
    for (ArmSettings each : settings) {
      arms.add(new Arm("arm " + arms.size(), each));
    }
    return SourceIndexes.find(
        new StressPlan(
            SmallIndex.documents(50),
            QuerySource.TERMS,
            Optional.of(shared),
            temp.resolve("out"),
            arms,
            1,
            Duration.ofMillis(50),
            false,
            false,
            Telemetry.NONE,
            List.of()),
        temp.resolve("scratch"));
  }
}
