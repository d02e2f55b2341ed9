// Package html draws a fleet as one HTML file: a matrix of clusters and policies that can be searched and opened down to what
// each object says, and what a change does to it.
//
// Shape: Write takes an Index and writes the file. It needs no network and no other file: style, script and data stand in
// it. Without scripts, and on paper, it is a summary of bounded length.
// Names and values may hold anything. The server's part goes through html/template, the data through encoding/json, the script
// makes text of it and never markup; a policy in the page lets the browser run nothing but this one script, and forbids
// making markup from text. Characters that cannot be seen, or that change how others are read, are spelt out.
// Cost: what objects say is a template for each object, and else the values that differ by cluster, each once: a page of 300
// clusters with 40 objects has some 120 kB, half of them style, script and summary. MostText bounds it.
// Errors: those of the writer.
// Source: W3C, "Content Security Policy Level 3", "ARIA Authoring Practices Guide", pattern "Grid".
package html
