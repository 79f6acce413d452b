# What tools/package changes in the source, to compile it for versions of Elasticsearch before 9.5.
# REST handlers were asked for with other parameters, which WeirPlugin has too.
/@Override$/{
N
s/ *@Override\n\(.* getRestHandlers(\)$/\1/
}
s/RestHandlersServices services/Object services/
