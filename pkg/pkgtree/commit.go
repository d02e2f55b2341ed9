package pkgtree

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/pkgtree/internal/folder"
)

// commit makes the changes. When one fails, it reverts those that it made. It renames many new files on all processors: they do not
// depend on each other.
func (w *writer) commit() error {
	if len(w.ops) > 1 { // a single change is atomic without a journal
		if err := w.writeJournal(); err != nil {
			return errors.Join(folder.WrapWrite(w.ops[0].Path, err), w.undo())
		}
	}
	renames := slices.IndexFunc(w.ops, func(o op) bool { return o.phase() > 0 })
	if renames < 0 {
		renames = len(w.ops)
	}
	err := cmp.Or(inParts(w, w.ops[:renames], (*writer).applyAll)...)
	if err == nil {
		err = w.applyAll(w.ops[renames:])
	}
	if err != nil {
		return errors.Join(err, w.undo())
	}
	return w.end(nil)
}

// applyAll makes changes in order.
func (w *writer) applyAll(ops []op) error {
	for _, o := range ops {
		if err := w.apply(o); err != nil {
			return err
		}
		w.done = append(w.done, o)
	}
	return nil
}

// end removes the journal, the staging folders and the folders in made.
func (w *writer) end(made []string) error {
	var err error
	if w.own.name != "" {
		err = removeJournal(w.in.Root, path.Join(w.own.name, journalFile))
	}
	err = errors.Join(err, w.removeStagingBelow())
	for _, d := range slices.Backward(made) {
		w.in.RemoveEmpty(d, 1)
	}
	return errors.Join(err, w.removeStagingRoot())
}

// undo reverts the changes that are made, and removes what was prepared for the others. When that
// fails, the journal stays, so that the next write can finish the changes instead.
func (w *writer) undo() (err error) {
	for _, o := range slices.Backward(w.done) {
		w.unmake(o.Path)
		err = errors.Join(err, w.revert(o))
	}
	if err != nil {
		return fmt.Errorf("and the changes made before it could not be reverted: %w", err)
	}
	return w.end(w.made)
}

// unmake removes the folders that were made in place of the file p.
func (w *writer) unmake(p string) {
	for _, d := range slices.Backward(w.made) {
		if d == p || strings.HasPrefix(d, p+"/") {
			w.in.RemoveEmpty(d, 1)
		}
	}
}

// recover makes the changes that a killed write left in its journal, and reports whether there are any.
func (w *writer) recover() (did bool, err error) {
	journals, ops, err := readJournals(&w.in)
	for i := 0; i < len(journals) && err == nil; i++ {
		did, err = true, w.replay(journals[i], ops[i])
	}
	return did, err
}

// replay makes the changes of a journal.
func (w *writer) replay(journal string, ops []op) error {
	w.recovering = true
	for _, o := range ops {
		if err := w.apply(o); err != nil {
			return fmt.Errorf("finish a write that was interrupted: %w", err)
		}
	}
	w.recovering, w.made = false, nil
	return removeJournal(w.in.Root, journal)
}
