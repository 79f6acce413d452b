package io.weir.examples;

import io.weir.Weir;
import io.weir.nrt.ReopenMonitor;
import io.weir.rate.ByteBudget;
import io.weir.store.ResidentKeys;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.facet.FacetField;
import org.apache.lucene.facet.FacetsConfig;
import org.apache.lucene.facet.taxonomy.SearcherTaxonomyManager;
import org.apache.lucene.facet.taxonomy.SearcherTaxonomyManager.SearcherAndTaxonomy;
import org.apache.lucene.facet.taxonomy.directory.DirectoryTaxonomyWriter;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.Directory;

/**
 * A taxonomy is a second index with a writer of its own, so it has a {@code Weir} of its own, and
 * both share the budget. One monitor sees both, because one manager reopens both.
 */
final class FacetedIndex {

  private FacetedIndex() {}

  /** A taxonomy whose merges are Weir's. */
  private static DirectoryTaxonomyWriter taxonomyOf(Weir weir) throws IOException {
    return new DirectoryTaxonomyWriter(weir.directory()) {
      @Override
      protected IndexWriter openIndexWriter(Directory directory, IndexWriterConfig config)
          throws IOException {
        return new IndexWriter(directory, weir.configure(config));
      }
    };
  }

  /** Indexes documents with categories, and merges both; returns what it has to say of it. */
  static String run(Path path) throws IOException {
    ByteBudget disk = ByteBudget.perSecond(40_000_000);
    Weir.Builder builder = Weir.builder().budget(disk);
    try (Weir categories = builder.open(path.resolve("taxonomy"));
        Weir products = builder.keys(ResidentKeys.of("id")).open(path.resolve("products"))) {
      DirectoryTaxonomyWriter taxonomy = categories.own(taxonomyOf(categories));
      IndexWriter writer =
          products.own(
              new IndexWriter(products.directory(), products.configure(new IndexWriterConfig())));
      SearcherTaxonomyManager searchers =
          products.own(new SearcherTaxonomyManager(writer, products.searcherFactory(), taxonomy));
      ReopenMonitor reopens = products.attach(searchers);
      FacetsConfig facets = new FacetsConfig();
      for (int i = 0; i < 4; i++) {
        Document document = new Document();
        document.add(new StringField("id", Integer.toString(i), Field.Store.YES));
        document.add(new FacetField("brand", "brand " + i % 2));
        writer.updateDocument(
            new Term("id", Integer.toString(i)), facets.build(taxonomy, document));
        reopens.maybeRefreshBlocking();
      }
      taxonomy.commit(); // before the index, which names its categories by number
      writer.commit();
      writer.forceMerge(1);
      reopens.maybeRefreshBlocking();
      SearcherAndTaxonomy both = searchers.acquire();
      try {
        return "%d documents, %d categories, merged: %b"
            .formatted(
                both.searcher().getIndexReader().numDocs(),
                both.taxonomyReader().getSize(),
                disk.snapshot().grantedBytes() > 0);
      } finally {
        searchers.release(both);
      }
    } // the products and their searchers, then the taxonomy
  }
}
