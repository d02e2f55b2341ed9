// Package expansion expands the templates that an object carries for each cluster that receives it.
//
// Shape: Compile takes an object apart once. Fill runs its templates for one cluster on the properties of that cluster, and
// Build puts the object together with the results. Only strings with a template change; all clusters share the rest, so
// callers must not edit what Build returns.
// Cost: an object is parsed once; a cluster costs one execution per string with a template.
// Errors: texts as KubeStellar reports them. Each begins with "template: " and the path of the string; they come in the
// order of the paths. An error about a Secret names a position and properties, nothing else of the template. Users whom the
// controller does not trust write templates, so what could run away is refused: before it runs where its shape shows that,
// and by a budget of work that loops, calls and functions draw from where only values show it. No clock is involved: the
// same template fails at the same place everywhere.
// Source: KubeStellar's customization API; Go's text/template for the language.
package expansion
