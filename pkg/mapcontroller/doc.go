// Package mapcontroller makes outputs for every input that a parent selects: the hooks of a MapController decide what an
// input becomes.
//
// Shape: New compiles a MapController with the names of types (Types) and with the code that calls hooks
// other than CEL (Hooks). Controller.Run takes a Snapshot of all items and gives a Result: the engine's
// plan, and the status of each parent. The function `map` (Function) reconciles files once, with linked
// functions and recorded webhooks (Offline). A live controller passes the objects that it lists, and
// Hooks that use the network: these decide about concurrency, caching and retries. A Response may
// postpone a request; the Result says when the next one is due.
//
//	hooks := mapcontroller.Offline{Functions: linked, Recordings: recordings} // or live ones, of package hooks
//	c, err := mapcontroller.New(object, types, hooks)                         // reports all errors of the spec
//	result, err := c.Run(ctx, mapcontroller.Snapshot{Items: items})
//	result.Plan.Operations  // for a cluster; result.Plan.Items are the files
//	result.Parents          // status, whether finalized, when to reconcile again
//
// A hook gets a Request: plain data for CEL, canonical JSON for webhooks, a MapRequest and items for
// functions. The same rules apply to the answers of all of them.
// Laws: those of package applyset; a hook that fails leaves its group as it is and affects no other.
// Cost: selection is linear in parents times the inputs of their namespaces; each group is one call.
// Package cel limits an expression; hooks.go limits an answer.
// Errors: New returns an aggregate of a field.ErrorList. A fault of a parent or a key is one of Result.Results.
// Source: metacontroller's MapController proposal, in its form without a cluster.
package mapcontroller
