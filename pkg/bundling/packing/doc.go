// Package packing says which object goes into which work.
//
// Shape: the weights of a Binding's objects in one cluster, the limits of a work, and where each object is so far; a number
// for each object out. Split fills works in order. Assignment leaves an object in its work and gives new ones the first room.
// Cost: O(objects × works) at worst, integers only.
// Errors: none; an object or a work that is too large is part of the result.
// Source: KubeStellar's OCM transport controller and OCM's webhook for how sizes are counted.
package packing
