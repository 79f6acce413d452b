/**
 * Applications that are deployed to a server and undeployed again, and what may hold them then.
 *
 * <p>{@link io.weir.undeploy.UndeployTest} is the server. Each application is loaded by a loader of
 * its own, which must be collected when the application has ended.
 */
package io.weir.undeploy;
