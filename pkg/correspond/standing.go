package correspond

import "fmt"

// standing says by which right a group may change an existing object, or why it may not.
func (r *run) standing(g *group, it *item) (Reason, error) {
	mine := Tags{Controller: g.Controller, Owner: g.Owner, Edge: g.Edge, Input: g.Key}
	switch {
	case it.group == g:
		return ReasonChanged, nil
	case it.group != nil: // which no longer wants it, or g would have failed by now
		return ReasonMoved, nil
	case (it.tags.agrees(mine) || it.tags.ownedAs(mine)) && controlledByAnother(it.object, g.Owner):
		return "", fmt.Errorf("%s has another controller, by its owner reference", it.ref)
	case it.broken && it.tags.ownedAs(mine):
		return ReasonChanged, nil // ours for sure; of which input is not known, and mended
	case !it.tags.agrees(mine) || it.tags.complete():
		return "", fmt.Errorf("%s belongs to another owner: %s", it.ref, it.tags.whose())
	case r.isInput(g, it):
		return "", fmt.Errorf("%s is an input of the same owner: adopted it would be an output and no input, and go in the next run; "+
			"give the output another name", it.ref)
	case r.isOwner(it):
		return "", fmt.Errorf("%s owns outputs itself, and is never adopted", it.ref)
	case r.lostTags(g, it):
		return ReasonChanged, nil
	case g.run.Adopt == Never && it.broken:
		return "", fmt.Errorf("%s has some tags of this and lacks others; restore them, take them all off, or %s", it.ref, g.run.adoptBy())
	case g.run.Adopt == Never:
		return "", fmt.Errorf("%s exists, and was not made of %s; rename one of the two, remove it, or %s", it.ref, g.Key, g.run.adoptBy())
	}
	return ReasonAdopted, nil
}

// isInput reports whether an object is an input of the owner of g. Were it to become an output of that owner, it
// would be left out of the inputs from then on, and its own outputs, itself perhaps, would go.
func (r *run) isInput(g *group, it *item) bool {
	key := it.ref.String()
	if key == g.Owner { // where inputs own what they become, none is left out
		return false
	}
	for _, e := range r.edges {
		if in := e.groups[groupKey{g.Owner, key}]; in != nil && in.present {
			return true
		}
	}
	return false
}

// isOwner reports whether an object owns outputs in this run.
func (r *run) isOwner(it *item) bool {
	key := it.ref.String()
	for _, e := range r.edges {
		if in := e.groups[groupKey{key, key}]; e.owners[key] != nil || in != nil && in.present {
			return true
		}
	}
	return false
}
