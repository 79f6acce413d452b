/**
 * The plug-in for Solr: classes to name in a core's {@code solrconfig.xml}. An artifact of its own;
 * nothing else uses this package.
 *
 * <p>Solr makes each part by its class name, and gives none to another: {@link
 * io.weir.solr.WeirDirectoryFactory} opens the directory, {@link io.weir.solr.WeirMergeScheduler}
 * runs the merges, {@link io.weir.solr.WeirIndexReaderFactory} opens the readers, and {@link
 * io.weir.solr.WeirCodecFactory}, which is optional, writes keys to files of their own. They meet
 * in {@link io.weir.solr.WeirNode}, which has what the cores of a node share, and in a {@link
 * io.weir.solr.WeirCore} for each core. {@link io.weir.solr.WeirHandler} answers over HTTP, {@link
 * io.weir.solr.WeirSettings} reads the settings of the node.
 */
package io.weir.solr;
