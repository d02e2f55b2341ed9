// Package setnamespace is the function set-namespace: it moves the objects of a package to a
// namespace, and what names their namespace with them.
//
// Shape: a namespace and items in; per item a copy that is in the namespace, the item itself where
// nothing in it names another. Scopes come from pkg/workload: Kubernetes' own kinds, and the
// CustomResourceDefinitions of the package.
// Cost: one copy of every object that is no local configuration, and two maps of identities.
// Errors: a config without a namespace or with unknown options; objects that come from several
// namespaces when nobody said which of them is meant; objects that would become the same object.
// Source: the README of set-namespace in krm-functions-catalog, and what its v0.4 does.
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
	opts, err := readOptions(in.Config)
	if err != nil {
		return nil, err
	}
	kinds, errs := workload.NewResources(in.Items, nil)
	if len(errs) > 0 {
		return nil, errs.ToAggregate()
	}
	m := &mover{opts: opts, kinds: kinds, moved: map[krm.ID]krm.ID{}}
	if err := m.checkOrigins(in.Items); err != nil {
		return nil, err
	}
	m.plan(in.Items)
	out, err := edit.EachObject(ctx, in, edit.ReachOf("spec", "subjects"), func(o *krm.Object, n *yaml.RNode) error {
		if stays(o) {
			return nil
		}
		return m.move(o, n)
	})
	if err != nil {
		return nil, err
	}
	edit.ReportClashes(out, in.Items, m.identity)
	return out, nil
}

// mover holds what one run needs to know.
type mover struct {
	opts  Options
	kinds *workload.Resources
	moved map[krm.ID]krm.ID // what becomes of the objects that move
}

// identity is o's as an API server has it: of a namespaced kind, it is in some namespace.
func (m *mover) identity(o *krm.Object) krm.ID {
	id := o.ID()
	id.Namespace = m.kinds.NamespaceOf(o)
	return id
}

// namespaced reports whether o lives in a namespace. An object of a kind that nobody knows does when
// it says so.
func (m *mover) namespaced(o *krm.Object) bool {
	if res := m.kinds.Of(o); res.Known {
		return res.Namespaced
	}
	return o.Lookup("metadata", "namespace") != nil
}

// plan finds out what becomes of every object that moves, for those that refer to it.
func (m *mover) plan(items []*krm.Object) {
	for _, o := range items {
		id := m.identity(o)
		to := id
		switch {
		case stays(o):
		case isNamespace(o) && m.moves(o.Name(), originOf(o).Name):
			to.Name = m.opts.Namespace
		case m.namespaced(o) && m.moves(id.Namespace, originOf(o).Namespace):
			to.Namespace = m.opts.Namespace
		}
		if to != id {
			m.moved[id] = to
		}
	}
}

// stays reports whether o is none of the objects that move, whatever namespace it is in.
func stays(o *krm.Object) bool { return o.IsLocalConfig() || fn.IsGeneratedWork(o) }

// moves reports whether what is in the namespace now, and came from origin ("" when that is not
// known), is to move.
func (m *mover) moves(now, origin string) bool {
	matcher := m.opts.NamespaceMatcher
	return matcher == "" || now == matcher || origin == matcher
}

func isNamespace(o *krm.Object) bool { return o.Is("", "Namespace") }
