package pkgtree

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
)

// commit makes the changes. When one fails, those that were made are taken back.
func (w *staging) commit() error {
	if len(w.ops) > 1 { // one is made or not made, whatever happens
		if err := w.writeJournal(); err != nil {
			return errors.Join(mayWriteTo(w.ops[0].Path, err), w.undo(0))
		}
	}
	for i, o := range w.ops {
		if err := w.apply(o); err != nil {
			return errors.Join(err, w.undo(i))
		}
	}
	return w.end(nil)
}

// end removes what was only needed while the changes were made, and the folders made.
func (w *staging) end(made []string) error {
	var err error
	if own := w.waiting["."]; own != "" {
		err = removeJournal(w.in.root, path.Join(own, journalIn))
	}
	err = errors.Join(err, w.clear())
	for _, d := range slices.Backward(made) {
		w.in.removeEmpty(d, 1)
	}
	return errors.Join(err, w.forget())
}

// undo takes the first done changes back, and away what was written and made for the others. When that
// fails, the journal stays, so that the next write may finish instead.
func (w *staging) undo(done int) (err error) {
	for _, o := range slices.Backward(w.ops[:done]) {
		w.unmake(o.Path)
		err = errors.Join(err, w.revert(o))
	}
	if err != nil {
		return fmt.Errorf("and what was changed by then could not be taken back: %w", err)
	}
	return w.end(w.made)
}

// unmake removes the folders that were made in the place of the file p.
func (w *staging) unmake(p string) {
	for _, d := range slices.Backward(w.made) {
		if d == p || strings.HasPrefix(d, p+"/") {
			w.in.removeEmpty(d, 1)
		}
	}
}

// finish makes the changes that a write which was killed has left, and reports whether there are any.
func (w *staging) finish() (did bool, err error) {
	journals, ops, err := readJournals(&w.in)
	for i := 0; i < len(journals) && err == nil; i++ {
		did, err = true, w.finishOne(journals[i], ops[i])
	}
	return did, err
}

func (w *staging) finishOne(journal string, ops []op) error {
	w.finishes = true
	for _, o := range ops {
		if err := w.apply(o); err != nil {
			return fmt.Errorf("finish a write that was interrupted: %w", err)
		}
	}
	w.finishes, w.made = false, nil
	return removeJournal(w.in.root, journal)
}
