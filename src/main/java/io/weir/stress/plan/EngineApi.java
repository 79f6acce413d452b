package io.weir.stress.plan;

import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.ArmSettings;
import io.weir.stress.setting.CompoundFiles;
import io.weir.stress.setting.EngineSettings;
import io.weir.stress.setting.MergeWorkload;
import io.weir.stress.setting.VectorFormat;

/** The interface over HTTP by which a run speaks to an engine. */
public enum EngineApi {
  /**
   * The paths that OpenSearch and Elasticsearch share. A run in a cluster makes an index of its
   * own, whatever it does.
   */
  REST {
    @Override
    void check(ArmSettings arm, int shards) {
      if (shards < 1 || shards > MAX_SHARDS) {
        throw new IllegalArgumentException(
            "shards must be from 1 to " + MAX_SHARDS + ": " + shards);
      }
    }

    @Override
    void checkIndex(String name) {
      if (!name.matches("[a-z0-9][a-z0-9_.-]{0,99}")) {
        throw new IllegalArgumentException(
            "target-index must be from 1 to 100 of a-z, 0-9, _, . and -: '" + name + "'");
      }
    }

    @Override
    String example() {
      return "http://localhost:9200";
    }

    @Override
    public String targetRule() {
      return "--target must be a cluster that answers, and --target-index an index of weir stress or"
          + " a name not in use";
    }

    @Override
    public ArmSettings inCluster(ArmSettings arm) {
      return arm;
    }

    @Override
    public boolean changesDocuments(ArmSettings arm) {
      return true;
    }
  },

  /**
   * Solr's. A run on a server of the user's reads the collection that the user names, and does only
   * those other things that the user asks for.
   */
  SOLR {
    @Override
    void check(ArmSettings arm, int shards) {
      refuse(shards != 1, "shards", "a core has one, and a collection those that it was made with");
      refuse(
          arm.get(ArmSetting.COMPOUND) != CompoundFiles.DEFAULT,
          "compound",
          "its solrconfig.xml decides on that");
      refuse(
          arm.get(ArmSetting.VECTOR_FORMAT) != VectorFormat.FLOAT,
          ArmSetting.VECTOR_FORMAT + "=" + arm.get(ArmSetting.VECTOR_FORMAT).label(),
          "Solr 9 has no type of field that quantises vectors");
      refuse(
          arm.get(ArmSetting.MERGE) == MergeWorkload.NATURAL,
          "merge=natural",
          "it takes another merge policy only by a reload of the core, which holds up updates");
    }

    @Override
    void checkIndex(String name) {
      if (!name.matches("[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}")) {
        throw new IllegalArgumentException(
            "target must end with the name of a collection or a core, such as %s: '%s'"
                .formatted(example(), name));
      }
    }

    @Override
    String example() {
      return "solr:http://localhost:8983/solr/products";
    }

    @Override
    public String targetRule() {
      return "--target must be a Solr that answers, with a core or a collection that is there";
    }

    @Override
    public ArmSettings inCluster(ArmSettings arm) {
      return EngineSettings.readingUnlessAsked(arm);
    }

    @Override
    public boolean changesDocuments(ArmSettings arm) {
      return arm.get(ArmSetting.UPDATES_PER_SECOND).isAny();
    }
  };

  private static final int MAX_SHARDS = 100;

  /** Refuses what no run on such an engine can do. */
  abstract void check(ArmSettings arm, int shards);

  /** Refuses a name that no index, or no collection, can have. */
  abstract void checkIndex(String name);

  /** A value of {@code --target}. */
  abstract String example();

  /** What a user's cluster must be, for a message. */
  public abstract String targetRule();

  /** What an arm does in a cluster that runs, where the user has not said what it does. */
  public abstract ArmSettings inCluster(ArmSettings arm);

  /** Whether an arm in a cluster that runs needs documents that it may replace. */
  public abstract boolean changesDocuments(ArmSettings arm);

  private static void refuse(boolean wrong, String what, String reason) {
    if (wrong) {
      throw new IllegalArgumentException("%s is not for Solr, because %s".formatted(what, reason));
    }
  }
}
