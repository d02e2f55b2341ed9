package expansion

import (
	"fmt"
	"sync"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// OptIn is the annotation that makes an object's strings templates, when its value is "true".
const OptIn = "control.kubestellar.io/expand-templates"

// Limits of the templates of one object.
const (
	maxLeaves = 10_000  // strings that hold a template
	maxSource = 4 << 20 // bytes of template text and of the paths that errors name, all together
)

// Template is a compiled object: its strings with templates, parsed. Several goroutines may use it at
// once.
type Template struct {
	source   krm.Source
	ref      string
	root     *branch
	leaves   []*leaf
	size     int // bytes of text and names of leaves
	machines sync.Pool
}

// leaf is one string that holds a template.
type leaf struct {
	name    string // ref and path: the part after "<cluster>/" in errors
	text    string
	program *program // nil when broken is not
	broken  error    // the reason why it cannot run, without the cluster
	secret  bool     // errors must not quote it
}

// Ref names an object in the errors of templates: Kind.group(namespace/name), without the
// parts that the object does not have.
func Ref(o *krm.Object) string {
	kind, name := o.Kind(), o.Name()
	if group := o.Group(); group != "" {
		kind += "." + group
	}
	if ns := o.Namespace(); ns != "" {
		name = ns + "/" + name
	}
	return kind + "(" + name + ")"
}

// Compile parses the templates of o; ref names it in errors (see Ref). The Template is nil when o does not
// opt in or has no string with "{{": o is then the same for every cluster. An invalid template is no error
// here, because errors name the cluster: Fill reports it. Only an object with too many templates is
// refused. Compile does not change o, and keeps no reference to it.
func Compile(o *krm.Object, ref string) (*Template, error) {
	if n := o.Lookup("metadata", "annotations", OptIn); !isText(n) || n.Value != "true" {
		return nil, nil
	}
	c := o.DeepCopy()
	c.ExpandAliases()
	t := &Template{source: o.Source, ref: ref}
	t.root = t.grow(c.Node(), ref)
	switch {
	case t.tooLarge():
		return nil, fmt.Errorf("template: %s: more than the %d templates, or the %d bytes of them with their paths, that one object may have",
			ref, maxLeaves, maxSource)
	case t.root == nil:
		return nil, nil
	}
	secret := holdsSecret(o.Node())
	for _, l := range t.leaves {
		l.secret = secret
		l.program, l.broken = compile(l.name, l.text)
	}
	t.machines.New = func() any { return newMachine(t.leaves) }
	return t, nil
}

// tooLarge reports whether there are too many leaves, or too much text.
func (t *Template) tooLarge() bool { return len(t.leaves) > maxLeaves || t.size > maxSource }

// isText reports whether n is a string in JSON.
func isText(n *yaml.Node) bool {
	if n == nil || n.Kind != yaml.ScalarNode {
		return false
	}
	switch n.ShortTag() {
	case yaml.NodeTagNull, yaml.NodeTagBool, yaml.NodeTagInt, yaml.NodeTagFloat:
		return false
	}
	return true
}
