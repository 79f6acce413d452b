package io.weir.stress.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.stress.QuickArm;
import io.weir.stress.SmallIndex;
import io.weir.stress.index.IndexRewriter;
import io.weir.stress.plan.Arm;
import io.weir.stress.plan.IdPostings;
import io.weir.stress.plan.KeyLayout;
import io.weir.stress.plan.QuerySource;
import io.weir.stress.plan.StressPlan;
import io.weir.stress.plan.Telemetry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
    assertEquals(List.of(KeyLayout.SHARED, KeyLayout.APART), both.missing());
    assertEquals(Set.of(shared, apart), Set.copyOf(both.needed().values()));
    assertNull(both.origin());
    assertEquals(0, both.foundDocuments());

    both.made(KeyLayout.SHARED);
    assertEquals(List.of(KeyLayout.APART), both.missing());
    assertEquals(shared, both.origin());

    assertEquals(List.of(KeyLayout.APART), find(IdPostings.RESIDENT).missing());
    assertEquals(apart, find(IdPostings.RESIDENT).first());
    assertEquals(List.of(KeyLayout.SHARED), find(IdPostings.DEFAULT).missing());
  }

  /** One kept by a version that knew no other is built on. */
  @Test
  void find_theDefaultOneThere_isRewrittenForResidentArms() throws Exception {
    SmallIndex.build(shared, 50);
    SourceIndexes resident = find(IdPostings.RESIDENT);
    assertEquals(List.of(KeyLayout.APART), resident.missing());
    assertEquals(shared, resident.origin());
    assertEquals(50, resident.foundDocuments());
    assertEquals(List.of(), find(IdPostings.DEFAULT).missing());
  }

  @Test
  void find_aPair_isTaken_twoBuilds_areRefused() throws Exception {
    SmallIndex.build(shared, 50);
    new IndexRewriter(shared, apart, KeyLayout.APART).rewrite();
    assertEquals(List.of(), find(IdPostings.RESIDENT, IdPostings.DEFAULT).missing());

    IndexCopy.deleteTree(apart);
    SmallIndex.build(apart, 50, KeyLayout.APART);
    assertEquals(List.of(), find(IdPostings.RESIDENT).missing());
    assertEquals(List.of(), find(IdPostings.DEFAULT).missing());
    assertRefused(
        "--index must hold two indexes of one build, or one of the two: delete %s or %s"
            .formatted(shared, apart));
  }

  @Test
  void find_theOtherLayoutInItsPlace_isRefused() throws Exception {
    SmallIndex.build(shared, 50, KeyLayout.APART);
    assertRefused(
        "--index DIR must hold the index of Lucene's default codec, and DIR-resident the other;"
            + " in %s it is the wrong one".formatted(shared));
  }

  private void assertRefused(String message) {
    StressException thrown =
        assertThrows(StressException.class, () -> find(IdPostings.RESIDENT, IdPostings.DEFAULT));
    assertEquals(StressException.Kind.USAGE, thrown.kind());
    assertEquals(message, thrown.getMessage());
  }

  private SourceIndexes find(IdPostings... idPostings) throws StressException {
    List<Arm> arms = new ArrayList<>();
    for (IdPostings each : idPostings) {
      QuickArm arm = new QuickArm();
      arm.idPostings = each;
      arms.add(new Arm("arm " + arms.size(), arm.settings()));
    }
    return SourceIndexes.find(
        new StressPlan(
            SmallIndex.documents(50),
            QuerySource.TERMS,
            shared,
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
