// Package expansion expands the templates that an object carries for each cluster it goes to.
//
// Shape: Compile takes an object apart once; Expand puts it together for one cluster from the
// properties of that cluster, and only touches the strings that hold a template: everything else
// is shared between all clusters, so nobody may edit what Expand returns.
// Cost: parsing is paid per object; a cluster costs one execution per templated string.
// Errors: texts as KubeStellar reports them, each beginning "template: " and the path of the string,
// in the order of the paths; of what a Secret's template says only the position and the names of
// properties. A template comes from anyone who can write a package, so whatever could run away is
// refused: where its shape shows that, before it runs; where only values show it, by a budget of
// work that every loop, call and function draws from. No clock is involved: the same template fails
// at the same place everywhere.
// Source: KubeStellar's customization API; Go text/template for the dialect.
package expansion
