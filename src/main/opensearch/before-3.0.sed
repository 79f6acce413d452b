# What tools/package changes in the source, to compile it for versions of OpenSearch before 3.0.
# The client had no package of its own below the transport's.
s/org[.]opensearch[.]transport[.]client[.]/org.opensearch.client./
# A request to a node had a class of its own.
s/org[.]opensearch[.]transport[.]TransportRequest;/org.opensearch.action.support.nodes.BaseNodeRequest;/
s/extends TransportRequest /extends BaseNodeRequest /
# Java's security manager checks more than the engine's agent does.
/^grant {$/a\
  // The engine's writer, which is private in this version: its live configuration.\
  permission java.lang.reflect.ReflectPermission "suppressAccessChecks";\
  permission java.lang.RuntimePermission "accessDeclaredMembers";\
  // Prometheus reads its options from the system properties, of all of which it takes a copy.\
  permission java.util.PropertyPermission "*", "read,write";\
  // The port of the metrics, if one is set.\
  permission java.net.SocketPermission "localhost:0-", "listen,resolve";\
  permission java.net.SocketPermission "*", "accept,resolve";
# The engine asked for one directory only.
/@Override$/{
N
s/ *@Override\n\(.*public Directory newFSDirectory(\)/\1/
}
