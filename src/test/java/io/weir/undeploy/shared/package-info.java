/**
 * An application that shares Weir and Lucene with others. It is a package of its own because its
 * loader knows its classes by that.
 */
package io.weir.undeploy.shared;
