/**
 * A search engine's public interface over HTTP. {@link io.weir.rest.EngineAddress} is where one
 * answers, as a user gives it, {@link io.weir.rest.Login} what it asks for, and {@link
 * io.weir.rest.EngineClient} sends the requests.
 */
package io.weir.rest;
