// Package applyset plans which outputs should exist for every input: the engine below translate, map and
// sync, which only decide about one input at a time.
//
// Shape: Run(ctx, View, []Edge) gives a Plan and is pure. A View holds all items. An Edge is
// one rule: its inputs with their keys, a Projection from one Group (a key, its input, its existing
// outputs) to an Outcome (outputs, or what to keep, or a retry, or an error), and how to merge,
// adopt, update and delete. A Plan holds the resulting items, for files; the operations that lead
// there in a safe order, for a cluster or a backend (Execute runs them); and the results. An
// unchanged item is the identical *krm.Object in the Plan; a changed one keeps its place, file,
// comments and the order of its fields. Package threeway merges YAML nodes.
//
// The simplest rule (translate) has inputs that own their outputs: see the example of Run. Where another object owns the
// outputs (map: a parent), Owners lists the owners and each Input names its Owner. Outputs that belong to no input any more
// form a detached Group, about which Tombstone decides; without a Tombstone, Run deletes them: see the example "owners". A
// Projection sets no tags: Run sets them. If it fails, the outputs of its group stay, and other groups continue.
//
// Laws: the same items in any order give the same bytes; a run on its own result changes nothing; a
// failing key does not affect other keys.
// Cost: linear in items, plus the Projections and one comparison for each of their outputs.
// Errors: Run returns an error for invalid Edges, before any Projection runs, or when ctx is done; an error
// of one key is a Result and keeps that key's outputs. No Result holds a value of an object.
// Source: the KRM form of MapController's proposal, MidoNet's Translations and kcp's API syncer.
package applyset
