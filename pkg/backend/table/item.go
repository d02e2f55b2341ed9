package table

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
)

// Resource is one resource as a Translation has it. Body is a JSON object as text, and is sent as it is.
type Resource struct {
	Kind, Parent, Body string
}

// Key identifies a resource of a backend. Parent is empty for kinds that the id alone identifies.
type Key struct {
	Kind, Parent, ID string
}

// String is for messages: "Chain 23b6f94b", "MACPort ac-ca-ba-00-00-01_38a2269a in 75ca1699".
func (k Key) String() string {
	if k.Parent == "" || k.Parent == k.ID {
		return k.Kind + " " + k.ID
	}
	return k.Kind + " " + k.ID + " in " + k.Parent
}

// reference is how the inventory writes a reference to a resource.
func (k Key) reference() string { return k.Kind + "/" + k.ID }

// keyOfReference is the opposite of reference.
func keyOfReference(s string) Key {
	kind, id, _ := strings.Cut(s, "/")
	return Key{Kind: kind, ID: id}
}

// Links are the resources that a record links to: its possible parents, and its references.
func (t *Table) Links(r waybill.BackendRecord) (parents, references []Key) {
	if k := t.kinds[r.Kind]; k != nil {
		for _, kind := range k.parents {
			parents = append(parents, Key{Kind: kind, ID: r.Parent})
		}
	}
	for _, s := range r.References {
		references = append(references, keyOfReference(s))
	}
	return parents, references
}

// References are the references of an item as the inventory writes them.
func (it *Item) References() (list []string) {
	for _, k := range it.Links[it.Parents:] {
		list = append(list, k.reference())
	}
	return list
}

// LinksTo reports whether an item links to a resource.
func (it *Item) LinksTo(key Key) bool { return slices.Contains(it.Links, key) }

// Item is a Resource with what the table says about it.
type Item struct {
	Kind               *Kind
	Key                Key
	Parent, Body       string
	CreatePath         string // the path for POST
	Hash, FieldDigests string // of the body, and of its fields
	Links              []Key  // possible parents, then possible targets of references
	Parents            int    // how many of them are parents
	Translation        string
	Index              int
}

// Resolve resolves a resource by the table.
func (t *Table) Resolve(r Resource) (*Item, error) {
	k := t.kinds[r.Kind]
	if k == nil {
		return nil, fmt.Errorf("kind %q is not in table %q", r.Kind, t.name)
	}
	if err := k.checkParent(r.Parent); err != nil {
		return nil, err
	}
	fields, err := ParseBody(r.Body)
	if err != nil {
		return nil, err
	}
	id, err := k.id.id(r.Parent, fields)
	if err != nil {
		return nil, err
	}
	createAt, err := k.createPath(r.Parent, fields)
	if err != nil {
		return nil, err
	}
	it := &Item{Kind: k, Key: k.key(r.Parent, id), Parent: r.Parent, Body: r.Body, CreatePath: createAt, Hash: digest(Canonical(fields))}
	if k.Replace != nil {
		it.FieldDigests = fieldDigests(fields)
	}
	it.Links, it.Parents = k.linksOf(r.Parent, fields)
	return it, k.checkPaths(it.Parent, id)
}

func (k *Kind) checkParent(parent string) error {
	switch {
	case parent == "" && k.needsParent:
		return errors.New("parent: want the id of the parent")
	case parent != "" && !k.needsParent:
		return errors.New("parent: a resource of this kind has none")
	}
	return checkName("parent", parent, MaxField)
}

// checkPaths makes sure that the resource has every path of its kind.
func (k *Kind) checkPaths(parent, id string) error {
	for _, t := range []template{k.Replace, k.Read, k.Delete} {
		if _, err := t.Path(parent, id); err != nil {
			return err
		}
	}
	return nil
}

func (k *Kind) key(parent, id string) Key {
	if !k.scoped {
		parent = ""
	}
	return Key{k.Name, parent, id}
}

// createPath is the path of the first creation whose condition is true.
func (k *Kind) createPath(parent string, fields map[string]any) (string, error) {
	for _, c := range k.create {
		if c.field == nil {
			return c.path.Path(parent, "")
		}
		if text, ok := TextAt(fields, c.field); ok && text == c.value {
			return c.path.Path(parent, "")
		}
	}
	return "", errors.New("no path to create it fits its body")
}

// linksOf are the keys of everything that the parent and the references of a resource may mean.
func (k *Kind) linksOf(parent string, fields map[string]any) (names []Key, parents int) {
	for _, kind := range k.parents {
		names = append(names, Key{Kind: kind, ID: parent})
	}
	for _, r := range k.references {
		id, ok := TextAt(fields, r.field)
		if !ok || id == "" {
			continue
		}
		for _, kind := range r.kinds {
			names = append(names, Key{Kind: kind, ID: id})
		}
	}
	return names, len(k.parents)
}
