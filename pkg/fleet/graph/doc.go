// Package graph draws policies, the objects that they deliver, and the clusters that these go to, in languages of others:
// Mermaid and DOT.
//
// Shape: Of folds an Index into a Graph that is small enough to be looked at; Mermaid, Markdown and DOT write it. Clusters
// that receive the same objects are one node. Where there would be too many nodes, objects are put together by kind, then
// the clusters and policies of which there are fewest; Folded says what was done.
// Cost: that of looking at every delivery once. A drawing has at most 66 nodes and 396 edges, and less than 50,000
// characters: renderers of Mermaid refuse more than 500 edges or 50,000 characters.
// Errors: those of the writer. Names may hold anything; each language gets them escaped.
// Source: Mermaid documentation, "Flowcharts Syntax" and "Entity codes to escape characters"; Graphviz documentation, "DOT
// Language" and "Escape Sequences".
package graph
