// Package encode writes YAML nodes as text, as the YAML library does.
//
// Shape: Append writes the common forms of nodes and gives up on all others; Node has the library write any. Verify reads
// back the output of the library, and compares data and comments. Nodes are not changed.
// Cost: Append copies text, at a small part of the library's cost, which resolves and analyses every scalar.
// Errors: those of Verify say what the user can change in the object.
// Source: the writer of go.yaml.in/yaml/v3, as kyaml calls it.
package encode
