// Package setnamespace is the function set-namespace: it moves the objects of a package to a namespace,
// and corrects the references to their namespace.
//
// Shape: a namespace and items in; per item a copy that is in the namespace, the item itself where
// nothing in it names another. Scopes come from pkg/workload: Kubernetes' own kinds, and the
// CustomResourceDefinitions of the package.
// Cost: one copy of every object that is no local configuration, and two maps of identities.
// Errors: a config without a namespace or with unknown options; objects from several
// namespaces without a namespaceMatcher; several objects whose new identity would be the same.
// Source: the README of set-namespace in krm-functions-catalog, and the behaviour of its v0.4 (Function) and v0.3 (V03).
package setnamespace

import (
	"context"
	_ "embed" // for the README

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mutators/edit"
	"github.com/waybill-dev/waybill/pkg/workload"
)

//go:embed set-namespace.md
var readme string

const functionName, configKind = "set-namespace", "SetNamespace"

// Function is set-namespace.
var Function = &fn.Function{Name: functionName, Kind: configKind, Doc: fn.MustDoc(readme, functionName), Run: Run}

// Run moves the objects. Local configuration and generated ManifestWorks stay as they are.
func Run(ctx context.Context, in *fn.Input) (*fn.Output, error) {
	m, err := newMover(in)
	if err != nil {
		return nil, err
	}
	if err := m.checkOrigins(in.Items); err != nil {
		return nil, err
	}
	return m.run(ctx, in)
}

func newMover(in *fn.Input) (*mover, error) {
	opts, err := readOptions(in.Config)
	if err != nil {
		return nil, err
	}
	kinds, errs := workload.NewResources(in.Items, nil)
	return &mover{opts: opts, kinds: kinds, moved: map[krm.ID]krm.ID{}}, errs.ToAggregate()
}

func (m *mover) run(ctx context.Context, in *fn.Input) (*fn.Output, error) {
	m.plan(in.Items)
	out, err := edit.EachObject(ctx, in, edit.ReachOf("spec", "subjects"), func(o *krm.Object, n *yaml.RNode) error {
		if keepsNamespace(o) {
			return nil
		}
		return m.move(o, n)
	})
	if err != nil {
		return nil, err
	}
	edit.ReportClashes(out, in.Items, m.kinds.ID)
	return out, nil
}

// mover is the state of one run.
type mover struct {
	opts  Options
	kinds *workload.Resources
	moved map[krm.ID]krm.ID // the new identities of the objects that move

	onlySet bool // add no namespace, and ignore where objects come from: V03
}

// namespaced reports whether o belongs to a namespace. An object of an unknown kind does when it names one.
func (m *mover) namespaced(o *krm.Object) bool {
	if res := m.kinds.Of(o); res.Known {
		return res.Namespaced
	}
	return o.Lookup("metadata", "namespace") != nil
}

// plan finds the new identity of every object that moves, for the references to it.
func (m *mover) plan(items []*krm.Object) {
	for _, o := range items {
		id := m.kinds.ID(o)
		to := id
		switch {
		case keepsNamespace(o):
		case m.renames(o):
			to.Name = m.opts.Namespace
		case m.relocates(o):
			to.Namespace = m.opts.Namespace
		}
		if to != id {
			m.moved[id] = to
		}
	}
}

// renames reports whether o is a Namespace that gets the new name.
func (m *mover) renames(o *krm.Object) bool {
	return isNamespace(o) && m.moves(o.Name(), m.originOf(o).Name)
}

// relocates reports whether o moves to the new namespace.
func (m *mover) relocates(o *krm.Object) bool {
	if m.onlySet && o.Namespace() == "" {
		return false
	}
	return m.namespaced(o) && m.moves(m.kinds.NamespaceOf(o), m.originOf(o).Namespace)
}

// originOf is where o comes from, unless that does not count.
func (m *mover) originOf(o *krm.Object) krm.ID {
	if m.onlySet {
		return krm.ID{}
	}
	return originOf(o)
}

// keepsNamespace reports whether o keeps its namespace because of its kind.
func keepsNamespace(o *krm.Object) bool { return o.IsLocalConfig() || fn.IsGeneratedWork(o) }

// moves reports whether an object in the namespace now, which came from origin ("" when that is not
// known), moves.
func (m *mover) moves(now, origin string) bool {
	matcher := m.opts.NamespaceMatcher
	return matcher == "" || now == matcher || origin == matcher
}

func isNamespace(o *krm.Object) bool { return o.Is("", "Namespace") }
