// Package translation makes Translations of Nodes, Pods, Services and Endpoints: the function translate.
//
// Shape: items and options in; items with a Translation for every part of every object that has one, and Results out. Package
// midonet converts an object to backend resources; package applyset plans the changes of existing Translations. This package
// connects them: which objects count, what their keys are, how a Translation is written, that no two have the same resource,
// that none is deleted while another depends on it, and which changes a pusher without a memory cannot make.
// Cost: linear in inputs and Translations: one conversion and one comparison for each.
// Errors: Results, each at its object, all at once. Invalid options, and more objects than one run may make, are errors of
// Run.
// Source: midonet-kubernetes' converters and its custom resource Translation.
package translation
