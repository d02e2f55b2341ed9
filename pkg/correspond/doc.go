// Package correspond keeps, for every input there is, the outputs there should be: the engine below
// translate, map and sync, which say only what one input becomes.
//
// Shape: Run(ctx, View, []Edge) gives a Plan and is pure. A View is all items there are. An Edge is
// one rule: its inputs with their keys, a Projection from one Group (a key, its input, what was made
// of it before) to an Outcome (outputs, or what to keep, or try again, or an error), and how to
// merge, adopt, update, detach and refuse. A Plan is the resulting items, for files; the operations
// that lead there in an order that is safe, for a cluster or a backend (Execute carries them out);
// and what there is to say. An item that does not change is the very same *krm.Object in the Plan;
// one that does keeps its place, file, comments and the order of its fields.
//
// A rule whose input owns what it becomes (translate) needs little:
//
//	edge := correspond.Edge{
//		Verb: "translate", Controller: "translate", GeneratedBy: "translate",
//		Adopt: correspond.Converge, OwnFields: []string{"resources"}, OwnNames: []string{"midonet.org/"},
//		Project: func(ctx context.Context, g *correspond.Group) correspond.Outcome {
//			translations, err := convert(g.Input) // filed by krm.Object.SetPath; no tags: Run sets them
//			if err != nil {
//				return correspond.Fail(err) // what g has stays, and so do all other groups go on
//			}
//			return correspond.Outputs(translations...) // none: all that g has goes
//		},
//		Validate: func(g *correspond.Group, old, new *krm.Object) error { return updatable(old, new) },
//	}
//	for _, o := range services {
//		edge.Inputs = append(edge.Inputs, correspond.Input{Key: correspond.Key(o), Object: o})
//	}
//	plan, err := correspond.Run(ctx, correspond.View{Items: in.Items}, []correspond.Edge{edge})
//	out := &fn.Output{Items: plan.Items, Results: plan.Report()}
//
// Where somebody else owns it (map: a parent), Owners lists who there is and each Input names its
// Owner. What belongs to no input any more is a detached Group, for which Tombstone is asked; without
// one it goes:
//
//	edge := correspond.Edge{
//		Verb: "map", Controller: controller.Name, Merge: correspond.ThreeWay, Adopt: correspond.Never,
//		View: correspond.Complete, OutputTypes: types,
//		Owners: []correspond.Owner{{Key: correspond.Key(parent), Object: parent}},
//		Inputs: []correspond.Input{{Key: correspond.Key(service), Owner: correspond.Key(parent), Object: service}},
//		Project: callMap, // uses g.Input, g.OwnerObject, g.MapKey, g.Outputs
//		Tombstone: func(ctx context.Context, g *correspond.Group) correspond.Outcome {
//			return correspond.Keep(idsThatMayStay(g.Outputs)...) // g.Detached says why; they are not changed
//		},
//	}
//
// Laws: the same items in any order give the same bytes; a run on its own result changes nothing; one
// failing key leaves all others as they would be without it.
// Cost: linear in items, plus the Projections and one comparison for each of their outputs.
// Errors: Run's own are faults of the Edges, found before anything is asked, or ctx's; what is wrong
// with one key is a Result and keeps that key's outputs. No Result holds a value of an object.
// Source: the KRM form of MapController's proposal, MidoNet's Translations and kcp's API syncer.
package correspond
