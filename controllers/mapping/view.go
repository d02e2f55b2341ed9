package mapping

import (
	"context"
	"fmt"
	"maps"
	"time"

	"github.com/waybill-dev/waybill/pkg/correspond"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// view is what a pass sees.
type view struct {
	items   []*krm.Object
	keys    map[string]bool        // of all items
	parents map[string]*krm.Object // by key: all objects of the type
	asks    map[kind]bool          // types that customize hooks asked for
	later   bool                   // some of these are followed from now on
}

// untold is trouble that a shelf tells of when it is over.
type untold struct{ err error }

func (u *untold) Error() string { return u.err.Error() }
func (u *untold) Unwrap() error { return u.err }

// gather takes what the shelves have. Trouble is looked for afterwards: a type that ceases to be served is
// in trouble before the first of its objects is off its shelf.
func (p *pass) gather(context.Context) error {
	p.view = view{keys: map[string]bool{}, parents: map[string]*krm.Object{}, asks: map[kind]bool{}}
	for k, sh := range p.shelves {
		for _, o := range sh.objects() {
			p.items = append(p.items, o)
			key := correspond.Key(o)
			p.keys[key] = true
			if k == p.ready.parent {
				p.parents[key] = o
			}
		}
	}
	for _, k := range sorted(p.ready.roles) {
		if err := p.shelves[k].trouble(); err != nil {
			return &untold{fmt.Errorf("%s of %s: %w", k.Resource, k.GroupVersion(), err)}
		}
	}
	p.meters.objects.WithLabelValues(p.name).Set(float64(len(p.items)))
	return nil
}

// confirm asks the API server itself for what outputs were made of and the shelves do not have, before
// anything is deleted for its absence. An input that is there after all counts. It goes through the outputs
// of the parents that this pass looks at.
func (p *pass) confirm(ctx context.Context) error {
	inputs, owners := map[string]bool{}, map[string]bool{}
	for _, o := range p.items {
		t := correspond.TagsOf(o)
		if t.Controller != p.name || !p.coversParent(t.Owner) {
			continue
		}
		if !p.keys[t.Input] {
			inputs[t.Input] = true
		}
		if p.ready.Spec().AllowEmpty && p.parents[t.Owner] == nil {
			owners[t.Owner] = true
		}
	}
	if p.all {
		maps.DeleteFunc(p.memory.gone, func(key string, _ bool) bool { return !inputs[key] && !owners[key] })
		maps.DeleteFunc(p.memory.absent, func(key string, _ time.Time) bool { return !inputs[key] })
	}
	found, err := p.missing(ctx, inputs, func(r role) bool { return r.input })
	if err != nil {
		return err
	}
	for _, o := range found {
		p.items = append(p.items, o)
		p.keys[correspond.Key(o)] = true
	}
	p.miss(inputs)
	_, err = p.missing(ctx, owners, func(r role) bool { return r.parent })
	return err
}
