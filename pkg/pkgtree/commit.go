package pkgtree

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
)

// commit makes the changes. When one fails, those that were made are taken back.
func (w *staging) commit() error {
	if len(w.ops) > 1 { // one is made or not made, whatever happens
		if err := writeJournal(w.in.root, w.ops); err != nil {
			return errors.Join(err, w.undo(0))
		}
	}
	for i, o := range w.ops {
		if err := w.apply(o); err != nil {
			return errors.Join(err, w.undo(i))
		}
	}
	return removeJournal(w.in.root)
}

// undo takes the first done changes back, and away what was written and made for the others. When that
// fails, the journal stays, so that the next write may finish instead.
func (w *staging) undo(done int) (err error) {
	for _, o := range slices.Backward(w.ops[:done]) {
		err = errors.Join(err, w.revert(o))
	}
	if err != nil {
		return fmt.Errorf("and what was changed by then could not be taken back: %w", err)
	}
	for _, o := range w.ops[done:] {
		if o.Tmp != "" {
			err = errors.Join(err, w.in.root.Remove(filepath.FromSlash(o.Tmp)))
		}
	}
	w.in.close()
	for _, d := range slices.Backward(w.made) {
		if st, err := w.in.root.Lstat(filepath.FromSlash(d)); err == nil && st.IsDir() { // no file that is back
			_ = w.in.root.Remove(filepath.FromSlash(d)) // one that holds something stays
		}
	}
	return errors.Join(err, removeJournal(w.in.root))
}

// finish makes the changes that a write which was killed has left.
func (w *staging) finish() error {
	ops, err := readJournal(&w.in)
	if ops == nil || err != nil {
		return err
	}
	w.finishes = true
	for _, o := range ops {
		if err := w.apply(o); err != nil {
			return fmt.Errorf("finish a write that was interrupted: %w", err)
		}
	}
	w.finishes, w.made = false, nil
	return removeJournal(w.in.root)
}
