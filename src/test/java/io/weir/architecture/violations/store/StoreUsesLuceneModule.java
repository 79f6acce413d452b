package io.weir.architecture.violations.store;

import org.apache.lucene.store.Directory;
import org.apache.lucene.tests.util.LineFileDocs;

/** The library's core with a module of Lucene other than its core. */
public class StoreUsesLuceneModule {
  Directory allowed;
  LineFileDocs field;
}
