// Package hooks asks the hooks of a MapController for real: functions by the runners that pipelines have,
// webhooks over HTTP.
//
// Shape: New reads the Secrets and ConfigMaps that the webhooks of one MapController name, once, and gives
// Hooks for package mapping. Whoever follows the MapController makes new Hooks when it changes, and closes
// the old ones; a Secret that changes alone is not noticed.
//
//	live, err := hooks.New(ctx, &object.Spec, hooks.Options{Values: reader, Linked: catalog.Functions, Runners: factory})
//	defer live.Close()
//	controller, err := mapping.New(config, types, live)
//
// A request is a POST of canonical JSON. Status 200 is an answer; 429 puts the request off for as long as
// Retry-After says; 304 and 412 bring the last answer again where one was kept by its ETag. All else is an
// error. A redirect is followed where it asks the same of the same host, so that credentials go nowhere else.
// Cost: one connection or more for each host, kept for a while; an answer has at most mapping.MaxAnswerBytes;
// answers kept for their ETags take at most 64 MiB for each webhook.
// Errors: on one line, of bounded length, without what a Secret holds, without user, path and query of a
// URL, and without a word of what a server said.
// Source: metacontroller, its webhooks, as a contract; RFC 9110 for Retry-After and ETags.
package hooks
