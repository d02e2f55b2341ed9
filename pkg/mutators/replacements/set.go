package replacements

import (
	"errors"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// apply sets the fields of one target in every object it selects.
func (r *run) apply(t *target, value *yaml.Node, where *field.Path) error {
	items, err := r.selected(t.selection)
	if err != nil {
		return err
	}
	if len(items) == 0 {
		r.warnEmpty(t, where)
	}
	for _, i := range items {
		at, err := r.set(i, t, value)
		switch {
		case errors.Is(err, errWork) || errors.Is(err, errWritten) || r.ctx.Err() != nil:
			return err
		case err != nil && r.faults[i] < mostFaults:
			r.faults[i]++
			r.out.Report(sdk.Error, r.out.Items[i], at, "%v", err)
		}
		if !t.renames {
			continue
		}
		if err := r.update(i, r.copies[i], r.byLabels); err != nil {
			return err
		}
	}
	return nil
}

// set sets the fields of t in item i.
func (r *run) set(i int, t *target, value *yaml.Node) (*field.Path, error) {
	for _, path := range t.paths {
		nodes, err := r.find(path, i, t.create(value))
		if err != nil {
			return path.at, err
		}
		for _, n := range nodes {
			fresh, err := t.options.join(n, value, int(r.written))
			if err == nil {
				err = r.write(i, n, fresh)
			}
			if err != nil {
				return path.at, err
			}
		}
	}
	return nil, nil
}

// find is what p leads to in item i.
func (r *run) find(p path, i int, create yaml.Kind) ([]*yaml.Node, error) {
	if n := r.places.get(p, i); n != nil {
		r.one[0] = n
		return r.one[:], r.spend(2)
	}
	if err := r.spend(4); err != nil { // the way to the object
		return nil, err
	}
	nodes, err := r.finder.find(p, r.copy(i).Node(), create)
	if err == nil {
		r.places.put(p, i, nodes)
	}
	return nodes, err
}

// write gives n, a node of item i, the value of value, and pays for it.
func (r *run) write(i int, n, value *yaml.Node) error {
	before, after := size(n), size(value)
	if r.written.Spend(after-before) != nil { // the old value no longer counts
		return errWritten
	}
	if put(n, value) {
		r.places.shapes[i]++
	}
	return r.spend((before + after) / 256)
}
