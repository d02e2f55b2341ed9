package render

import (
	"context"
	"fmt"
	"path"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// turn holds one token: of the packages that take much of the memory one is rendered at a time.
var turn = make(chan struct{}, 1)

// takeTurn waits until tree may be rendered. done gives the turn to the next.
func takeTurn(ctx context.Context, tree pkgtree.Tree) (done func(), err error) {
	if !isLarge(tree, krm.MostValues()/8) {
		return func() {}, nil
	}
	select {
	case turn <- struct{}{}:
		return func() { <-turn }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// isLarge reports whether the resources of tree may hold more than so many values.
func isLarge(tree pkgtree.Tree, values int) bool {
	size, marks := 0, 0
	for _, file := range tree.Paths() {
		if isResourceFile(path.Base(file)) {
			size += len(tree.Blob(file).Data())
		}
	}
	if size <= values { // no value takes less than a byte
		return false
	}
	for _, file := range tree.Paths() {
		if isResourceFile(path.Base(file)) {
			marks += krm.Marks(tree.Blob(file).Data())
		}
	}
	return marks > values
}

// checkValues bounds the values of all files. Of those that were read at the same time it blames the one that
// may hold most, and not the last.
func checkValues(tree pkgtree.Tree, files []resourceFile, budget *krm.Budget) error {
	if !budget.Over() {
		return nil
	}
	most, name := 0, ""
	for _, f := range files {
		if n := krm.Marks(tree.Blob(f.name).Data()); n > most {
			most, name = n, f.name
		}
	}
	return fmt.Errorf("%s: the files of the package hold more than the %d values allowed in all, this one most of them; "+
		"split the package, or give the process more memory, which the limit follows", name, budget.Most)
}

// withBudget bounds the values of all files together, where the caller does not.
func (o Options) withBudget() Options {
	if o.Limits.Budget == nil {
		o.Limits.Budget = krm.NewBudget()
	}
	return o
}
