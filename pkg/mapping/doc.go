// Package mapping makes some outputs for every input that a parent selects: MapController, whose hooks
// say what an input becomes.
//
// Shape: New makes a Controller of a MapController, with what types are called (Types) and with who runs
// the hooks that are not CEL (Hooks). Controller.Run takes the items there are and gives a Pass: the
// engine's plan, and how each parent stands. The function `map` (Function) is one such pass over files,
// with linked functions and recorded webhooks (Offline). A live controller hands in what it lists, and
// Hooks that ask over the network: how many at a time, what is cached and when to try again is theirs;
// a Response may put a request off, and a Pass says when the next one is due.
//
//	hooks := mapping.Offline{Functions: linked, Recordings: recordings} // or a live one
//	c, err := mapping.New(object, types, hooks)                         // all faults at once, before any key
//	pass, err := c.Run(ctx, mapping.World{Items: items})
//	pass.Plan.Operations  // for a cluster; pass.Plan.Items are the files
//	pass.Parents          // status, whether finalized, when to look again
//
// What a hook is asked is a Request: plain data for CEL, canonical JSON for webhooks, a MapRequest and
// items for functions. Whatever it answers is held to the same rules.
// Laws: those of package correspond; a hook that fails leaves its group as it is and no other one.
// Cost: selection is linear in parents times the inputs of their namespaces; each group is one call.
// An expression is bounded by package expression, an answer by limits.go.
// Errors: New's are a field.ErrorList's aggregate. What is wrong with a parent or a key is a Result.
// Source: metacontroller's MapController proposal, in its form without a cluster.
package mapping
