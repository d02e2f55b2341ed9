// Package expansion expands the templates that an object carries for each cluster that receives it.
//
// Shape: Compile parses an object once. Fill runs its templates for one cluster on the properties of that cluster, and
// Build makes the object with the results. Only strings with a template change; all clusters share the rest, so
// callers must not edit what Build returns.
// Cost: an object is parsed once; a cluster costs one execution per string with a template.
// Errors: texts as KubeStellar reports them. Each begins with "template: " and the path of the string; they come in the
// order of the paths. An error about a Secret names a position and properties, nothing else of the template. Users whom the
// controller does not trust write templates, so endless work is refused: before the template runs, if its shape shows it, else by
// a budget of work for loops, calls and functions. No clock is involved: the same template fails at the same place
// everywhere.
// Source: KubeStellar's customization API; Go's text/template for the language.
package expansion
