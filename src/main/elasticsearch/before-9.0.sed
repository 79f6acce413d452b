# What tools/package changes in the source, to compile it for versions of Elasticsearch before 9.0.
# A request had its own type as a parameter.
s/extends BaseNodesRequest {/extends BaseNodesRequest<WeirRequest> {/
s/request[.]setTimeout(/request.timeout(/
