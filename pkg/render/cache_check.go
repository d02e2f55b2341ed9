package render

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/krm/plain"
	"github.com/waybill-dev/waybill/pkg/parallel"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

var errRecord = errors.New("it is no result of a render")

// CheckCached checks data that another machine put into a cache as a fresh render checks what functions return: every changed
// file is in the package, within the limits, and holds KRM resources. What they say is not checked. A file in plain YAML is not
// parsed for that.
func CheckCached(data []byte) error {
	rec, changes := decodeRecord(data)
	if rec == nil {
		return errRecord
	}
	if text, changed := changes[kptfile.Name]; changed && text == nil {
		return errors.New("it removes the root Kptfile")
	}
	files := slices.Sorted(maps.Keys(changes))
	errs := make([]error, len(files))
	budget := krm.NewBudget()
	parallel.For(len(files), func(i int) { errs[i] = checkFile(files[i], changes[files[i]], krm.Limits{Budget: budget}) })
	return errors.Join(errs...)
}

// checkFile checks a file that a render changed; it deleted the file if text is nil.
func checkFile(file string, text []byte, limits krm.Limits) error {
	if err := pkgtree.CheckPath(file); err != nil || text == nil {
		return err
	}
	if values, ok := plain.Resources(text); ok {
		return limits.Budget.Take(values)
	}
	items, err := krm.Read(file, text, limits)
	if err == nil && len(items) == 0 {
		err = fmt.Errorf("%s holds no resource", file)
	}
	if err != nil {
		return err
	}
	return checkKRM("output", items)
}
