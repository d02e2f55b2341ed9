package syncfn

import (
	"slices"

	"github.com/waybill-dev/waybill/pkg/apisync"
	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// checkOrigins refuses to remove copies of objects that are in the package, but no longer on their side or of their
// kind: after a file was moved, or if a folder or kind is misspelt, an object would count as deleted.
func (c *converger) checkOrigins(r *apisync.Round) {
	for _, op := range r.Operations {
		if op.Action != applyset.ActionDelete || op.Old == nil {
			continue
		}
		if c.misplaced == nil {
			c.misplaced = c.findMisplaced()
		}
		tags := applyset.TagsOf(op.Old)
		for _, key := range slices.Compact([]string{tags.Input, tags.Owner}) {
			if o := c.misplaced[key]; o != nil {
				c.reportMisplaced(key, o, op.Old)
				delete(c.misplaced, key)
			} else if o := c.lostNamespace(key); o != nil {
				c.fail(o, "%s(%s): it names no namespace, so %s would be deleted: add its namespace; to delete the copy, delete its file",
					apisync.Name, key, op.Old.Describe())
			}
		}
	}
}

// lostNamespace is an item that names no namespace, has no copies, and has the place, type and name of a key; nil where there is none.
func (c *converger) lostNamespace(key string) *krm.Object {
	cluster, id, err := applyset.ParseKey(key)
	if err != nil || id.Namespace == "" {
		return nil
	}
	if c.unnamed == nil {
		c.unnamed = c.findUnnamed()
	}
	id.Namespace = ""
	return c.unnamed[applyset.Ref{Place: cluster, ID: id}]
}

func (c *converger) findUnnamed() map[applyset.Ref]*krm.Object {
	hasCopies, found := map[string]bool{}, map[applyset.Ref]*krm.Object{}
	for _, o := range c.items {
		tags := applyset.TagsOf(o)
		hasCopies[tags.Input], hasCopies[tags.Owner] = true, true
	}
	for _, o := range c.items {
		at := c.folders.place(o)
		if o.Namespace() != "" || at.Side == apisync.Neither || applyset.TagsOf(o).Controller == c.rule.Controller() {
			continue
		}
		if ref := c.rule.RefIn(o, at); !hasCopies[ref.String()] {
			ref.Namespace = ""
			found[ref] = o
		}
	}
	return found
}

func (c *converger) reportMisplaced(key string, o, made *krm.Object) {
	if want := c.rule.NearestType(o); want != nil {
		c.fail(o, "%s(%s): nothing reads kind %s of group %q, so %s would be deleted: should it be %s of group %q? "+
			"To delete the copy, delete its file", apisync.Name, key, o.Kind(), o.Group(), made.Describe(), want.Kind, want.Group)
		return
	}
	where := "on neither side"
	if c.folders.place(o).Side == apisync.Destination {
		where = "on the side of copies"
	}
	c.fail(o, "%s(%s): it is %s, so %s would be deleted; the folders of the sides are %q and %q: "+
		"move it back, or correct spec.paths or its annotation %s; to delete the copy, delete its file", apisync.Name, key, where,
		made.Describe(), c.folders.source, c.folders.destination, sideAnnotation)
}

// findMisplaced lists the objects on neither side by the keys that they would have on each, and source objects at the
// destination: no copy names its cluster.
func (c *converger) findMisplaced() map[string]*krm.Object {
	out, there := map[string]*krm.Object{}, map[string]bool{}
	note := func(o *krm.Object, at apisync.Place) {
		key := c.rule.RefIn(o, at).String()
		if first := out[key]; first == nil || applyset.CompareCopies(o, first) < 0 {
			out[key] = o
		}
	}
	for _, o := range c.items {
		at := c.folders.place(o)
		there[c.rule.RefIn(o, at).String()] = true
		switch want := c.rule.NearestType(o); {
		case applyset.TagsOf(o).Controller == c.rule.Controller():
		case want != nil && at.Side != apisync.Neither:
			ref := c.rule.RefIn(o, at)
			ref.Group, ref.Kind = want.Group, want.Kind
			out[ref.String()] = o
		case at.Side == apisync.Neither && o.Annotation(sideAnnotation) == "": // an unknown side is an error already
			note(o, apisync.Place{Side: apisync.Source, Cluster: c.folders.clusterOf(o)})
			note(o, apisync.Place{Side: apisync.Destination})
		case at.Side == apisync.Destination && (folders{}).clusterOf(o) != "":
			note(o, apisync.Place{Side: apisync.Source, Cluster: c.folders.clusterOf(o)})
		}
	}
	for key := range there {
		delete(out, key)
	}
	return out
}
