/**
 * Applications that the agent is tried on. They use Lucene and nothing of Weir, nor of the tests,
 * so that they can be packed into jars and modules of their own.
 */
package io.weir.agent.application;
