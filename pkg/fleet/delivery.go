package fleet

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"

	"github.com/waybill-dev/waybill/pkg/fleet/manifestwork"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// Delivery is one object for one cluster.
type Delivery struct {
	*Holder
	// Itself means the work itself, without its manifests and without its namespace, which is the cluster.
	Itself bool
	// HandOver means a hand-over entry: the work names the object and releases it. It delivers nothing.
	HandOver bool
	Content  *Content
}

// Holder is what holds objects for a cluster: a ManifestWork, or a file with the object itself. All deliveries of a work share it.
type Holder struct {
	Cluster string
	// Work is the name of the ManifestWork; "" for an object in a file of its own.
	Work string
	// Binding is the name of the Binding of the work; "" if the work names none.
	Binding string
	// File is the file with the work or the object.
	File     string
	settings *manifestwork.Settings // of the work
}

// Settings are those of the work; nil for an object in a file of its own.
func (h *Holder) Settings() *manifestwork.Settings { return h.settings }

// ships reports whether a plain object in the folder of a cluster is for the cluster, not for tools that work on the
// package.
func ships(o *krm.Object) bool {
	switch o.Group() {
	case "kpt.dev", "fn.waybill.dev", "waybill.dev", "config.porch.kpt.dev", "cluster.open-cluster-management.io":
		return false
	}
	return o.Kind() != "" && !o.IsLocalConfig()
}

// markEntries marks the last deliveries as hand-over entries, if the work releases them. The agent holds the others as usual.
func markEntries(all []Delivery, last int) {
	for i := len(all) - last; i < len(all); i++ {
		d := &all[i]
		id, err := d.Content.ID()
		d.HandOver = err == nil && (d.settings.Orphans(id) || d.settings.ReadOnly(id))
	}
}

// owns reports whether the agent applies the object; it only watches a read-only object. What it applies it owns, unless the
// object is to stay.
func (d *Delivery) owns(id krm.ID) bool { return d.HandOver || !d.settings.ReadOnly(id) }

// stays reports whether the object stays on the cluster when the work drops it and no other work holds it: the agent has
// released it.
func (d *Delivery) stays(id krm.ID) bool {
	return d.settings.Orphans(id) && !d.settings.ReadOnly(id)
}

// Content is the text of an object. Equal hashes mean equal data; equal data that is written differently has different hashes.
type Content struct {
	Hash   [sha256.Size]byte
	text   []byte
	indent int // columns before the object; in the first line the dash of a list stands there

	ids  *knownIDs
	list bool     // the object may be a list
	next *Content // another one with the same hash in contents
}

func newContent(text []byte, indent int) *Content {
	return &Content{Hash: sha256.Sum256(text), text: text, indent: indent}
}

// length is that of the text; 0 if c is nil.
func (c *Content) length() int {
	if c == nil {
		return 0
	}
	return len(c.text)
}

func (c *Content) sameAs(other *Content) bool {
	return c == other || c.Hash == other.Hash && c.indent == other.indent
}

func contentOf(o *krm.Object) (*Content, error) {
	text, err := krm.WriteRaw(o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.Describe(), err)
	}
	return newContent(text, 0), nil
}

// YAML is the text of the object, without its indentation.
func (c *Content) YAML() []byte {
	if c.indent == 0 {
		return c.text
	}
	out := make([]byte, 0, len(c.text))
	for line := range bytes.Lines(c.text) {
		if len(line) > c.indent {
			line = line[c.indent:]
		} else {
			line = []byte("\n") // a blank line within a text
		}
		out = append(out, line...)
	}
	return out
}

var errNoObject = errors.New("is not one object")

// Object parses the object.
func (c *Content) Object() (*krm.Object, error) { return c.parse(c.YAML()) }

func (c *Content) parse(text []byte) (*krm.Object, error) {
	objects, err := krm.Read("manifest", text, krm.Limits{})
	if err != nil {
		return nil, err
	}
	if len(objects) != 1 {
		return nil, errNoObject
	}
	return objects[0], nil
}

// ID is the identity of the object. It parses only the identifying fields if they are enough.
func (c *Content) ID() (krm.ID, error) {
	text := c.YAML()
	fields := identifyingFields(text)
	if id, known := c.ids.of(fields); known {
		return id, nil
	}
	if o, err := c.parse(fields); err == nil && o.Kind() != "" && o.Name() != "" {
		c.ids.add(fields, o.ID())
		return o.ID(), nil
	}
	o, err := c.parse(text)
	if err != nil {
		return krm.ID{}, err
	}
	return o.ID(), nil
}

// identifyingFields is the text of the outermost fields that identify an object.
func identifyingFields(text []byte) []byte {
	var out []byte
	in := false
	for line := range bytes.Lines(text) {
		if line[0] != ' ' && line[0] != '\n' && line[0] != '-' && line[0] != '#' {
			key, _, _ := bytes.Cut(line, []byte(":"))
			in = string(key) == "apiVersion" || string(key) == "kind" || string(key) == "metadata"
		}
		if in {
			out = append(out, line...)
		}
	}
	return out
}
