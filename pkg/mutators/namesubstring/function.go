// Package namesubstring is the function ensure-name-substring: it puts a text before or after the names
// of objects that do not hold it, and corrects the references to them.
//
// Shape: a text and items in; per item a copy with its new name and those of what it refers to, the
// item itself where neither changed. Which fields refer to what is a table (references.go).
// kustomize's filter for references needs its own resources, which drop unknown fields, and does not
// export its table; so the table is ours. It has the references of a pod for every kind that makes pods.
// Cost: one copy of every object, one walk along the paths for its kind, one map of new names.
// Errors: a config without a text or with unknown options; several objects whose new identity would be the same.
// Source: the README of ensure-name-substring in krm-functions-catalog; the Kubernetes API reference
// for references.
package namesubstring

import (
	"context"
	_ "embed" // for the README
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mutators/edit"
	"github.com/waybill-dev/waybill/pkg/workload"
)

//go:embed ensure-name-substring.md
var readme string

const functionName, configKind = "ensure-name-substring", "EnsureNameSubstring"

// Function is ensure-name-substring.
var Function = &fn.Function{Name: functionName, Kind: configKind, Doc: fn.MustDoc(readme, functionName), Run: Run}

// Run renames the objects, local configuration too, and then what refers to them.
func Run(ctx context.Context, in *fn.Input) (*fn.Output, error) {
	opts, err := readOptions(in.Config)
	if err != nil {
		return nil, err
	}
	kinds, errs := workload.NewResources(in.Items, nil)
	if len(errs) > 0 {
		return nil, errs.ToAggregate()
	}
	r := newRenamer(opts, kinds, in.Items)
	out, err := edit.EachObject(ctx, in, reach(opts), func(o *krm.Object, n *yaml.RNode) error { return r.rename(ctx, o, n) })
	if err != nil {
		return nil, err
	}
	edit.ReportClashes(out, in.Items, r.kinds.ID)
	return out, nil
}

// renamer holds what one run needs to know.
type renamer struct {
	opts  Options
	kinds *workload.Resources
	// renamed are the objects that get a new name, each by its identity, and with anyOf for its group or
	// namespace, for references without one.
	renamed map[krm.ID]bool
	// resources are the plurals of the kinds of renamed objects.
	resources map[kindOf]string
}

type kindOf struct{ group, kind string }

// anyOf stands for the missing group or namespace of a reference. No real one has that name.
const anyOf = "*"

func newRenamer(opts Options, kinds *workload.Resources, items []*krm.Object) *renamer {
	r := &renamer{opts: opts, kinds: kinds, renamed: map[krm.ID]bool{}, resources: map[kindOf]string{}}
	for _, o := range items {
		if r.getsNewName(o) {
			r.remember(r.kinds.ID(o))
			r.resources[kindOf{o.Group(), o.Kind()}] = kinds.Of(o).Plural
		}
	}
	return r
}

func (r *renamer) remember(id krm.ID) {
	for _, group := range []string{id.Group, anyOf} {
		exact := krm.ID{Group: group, Kind: id.Kind, Namespace: id.Namespace, Name: id.Name}
		r.renamed[exact] = true
		if id.Namespace != "" {
			exact.Namespace = anyOf
			r.renamed[exact] = true
		}
	}
}

func (r *renamer) getsNewName(o *krm.Object) bool {
	return !keepsName(o) && o.Name() != "" && !strings.Contains(o.Name(), r.opts.Substring)
}

// keepsName reports whether the name of o has a meaning outside of the package.
func keepsName(o *krm.Object) bool {
	switch o.Kind() {
	case "CustomResourceDefinition", "Namespace":
		return true
	}
	return fn.IsGeneratedWork(o) || o.Is("apiregistration.k8s.io", "APIService") || o.Is("kpt.dev", "Kptfile") ||
		o.Is("cluster.open-cluster-management.io", "ManagedCluster")
}

// withSubstring is name with the text.
func (r *renamer) withSubstring(name string) string {
	if r.opts.EditMode == modeAppend {
		return name + r.opts.Substring
	}
	return r.opts.Substring + name
}

// rename sets the name of n, a copy of o, its additional names, and those of what it refers to.
func (r *renamer) rename(ctx context.Context, o *krm.Object, n *yaml.RNode) error {
	root := n.YNode()
	if r.getsNewName(o) {
		edit.Visit(root, "metadata/name", r.setNew)
	}
	if !keepsName(o) {
		err := edit.AtFields(ctx, n, r.opts.fields, yaml.ScalarNode, r.ensure)
		if err != nil {
			return err
		}
	}
	r.correct(o, root)
	return nil
}

func (r *renamer) setNew(name *yaml.Node) {
	edit.SetText(name, r.withSubstring(name.Value), edit.KeepQuotes)
}
