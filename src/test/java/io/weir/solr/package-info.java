/** Tests of the plug-in for Solr, in real servers. */
package io.weir.solr;
