// Package hooks calls the hooks of a MapController: webhooks over HTTP, and functions that the caller prepares.
//
// Shape: New reads the Secrets and ConfigMaps that the webhooks of one MapController name, once, and returns Hooks for
// package mapcontroller. When the MapController changes, the caller makes new Hooks and closes the old ones; a change of a
// Secret alone has no effect. Backoff delays requests to webhooks that ask for time.
//
//	h, err := hooks.New(ctx, &object.Spec, hooks.Options{Values: readSecret, Functions: prepare})
//	defer h.Close()
//	controller, err := mapcontroller.New(config, types, h)
//
// A request is a POST of canonical JSON. Status 200 is an answer; 429 delays the request for the time in Retry-After; 304 and
// 412 repeat the last answer if it was kept by its ETag. Every other status is an error. A redirect is followed only to the
// same host and with the same method, so that no other host gets the credentials.
// Cost: at least one connection for each host, kept open for a while; an answer has at most mapcontroller.MaxAnswerBytes;
// the answers kept by their ETags take at most 64 MiB for each webhook.
// Errors: on one line of bounded length, without values of Secrets, without the user, path and query of a URL, and without
// any text of a server.
// Source: metacontroller, its webhooks, as a contract; RFC 9110 for Retry-After and ETags.
package hooks
