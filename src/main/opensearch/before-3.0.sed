# What tools/package changes in the source, to compile it for versions of OpenSearch before 3.0.
# The client had no package of its own below the transport's.
s/org[.]opensearch[.]transport[.]client[.]/org.opensearch.client./
# A request to a node had a class of its own.
s/org[.]opensearch[.]transport[.]TransportRequest;/org.opensearch.action.support.nodes.BaseNodeRequest;/
s/extends TransportRequest /extends BaseNodeRequest /
# The writer was private. And Java's security manager asks for more than the engine's agent does.
/^grant {$/a\
  permission java.lang.reflect.ReflectPermission "suppressAccessChecks";\
  permission java.lang.RuntimePermission "accessDeclaredMembers";\
  permission java.lang.RuntimePermission "getClassLoader";\
  permission java.lang.RuntimePermission "getStackTrace";\
  permission java.lang.RuntimePermission "modifyThread";\
  permission java.lang.RuntimePermission "modifyThreadGroup";\
  permission java.lang.RuntimePermission "setContextClassLoader";\
  permission java.lang.RuntimePermission "shutdownHooks";\
  permission java.lang.RuntimePermission "getenv.*";\
  permission java.lang.RuntimePermission "accessClassInPackage.*";\
  permission java.util.PropertyPermission "*", "read,write";\
  permission java.util.logging.LoggingPermission "control";\
  permission java.lang.management.ManagementPermission "monitor";\
  permission java.net.SocketPermission "*", "accept,connect,listen,resolve";
# The engine asked for one directory only.
/@Override$/{
N
s/ *@Override\n\(.*public Directory newFSDirectory(\)/\1/
}
