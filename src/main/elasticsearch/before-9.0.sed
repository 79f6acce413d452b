# What tools/package changes in the source, to compile it for versions of Elasticsearch before 9.0.
s/request[.]setTimeout(/request.timeout(/
