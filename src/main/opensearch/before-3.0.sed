# What tools/package changes in the source, to compile it for versions of OpenSearch before 3.0.
# The client had no package of its own below the transport's.
s/org[.]opensearch[.]transport[.]client[.]/org.opensearch.client./
# A request to a node had a class of its own.
s/org[.]opensearch[.]transport[.]TransportRequest;/org.opensearch.action.support.nodes.BaseNodeRequest;/
s/extends TransportRequest /extends BaseNodeRequest /
# The writer was private, so its field is looked up as the engine's own; the security manager asks for this permission.
s/^grant {$/grant {\n  permission java.lang.reflect.ReflectPermission "suppressAccessChecks";/
