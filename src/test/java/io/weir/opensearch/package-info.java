/** Tests of the plug-in for OpenSearch, as packaged, in a real server. */
package io.weir.opensearch;
