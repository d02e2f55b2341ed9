package pkgtree

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// commit makes the changes. When one fails, those that were made are taken back.
func (w *staging) commit() error {
	if len(w.ops) > 1 { // one is made or not made, whatever happens
		if err := writeJournal(w.in.root, w.ops); err != nil {
			return errors.Join(about(journalName, err), w.undo(0))
		}
	}
	for i, o := range w.ops {
		if err := w.apply(o); err != nil {
			return errors.Join(err, w.undo(i))
		}
	}
	return errors.Join(removeJournal(w.in.root), w.forget())
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
	for _, o := range w.ops[done:] {
		if o.Tmp != "" {
			err = errors.Join(err, w.unstage(o.Tmp))
		}
	}
	for _, d := range slices.Backward(w.made) {
		w.in.removeEmpty(d, 1)
	}
	return errors.Join(err, removeJournal(w.in.root), w.forget())
}

// unmake removes the folders that were made in the place of the file p.
func (w *staging) unmake(p string) {
	for _, d := range slices.Backward(w.made) {
		if d == p || strings.HasPrefix(d, p+"/") {
			w.in.removeEmpty(d, 1)
		}
	}
}

// unstage removes the file tmp, which waits for its name.
func (w *staging) unstage(tmp string) error {
	dir, base := split(tmp)
	in, err := w.in.at(dir, tmp)
	if in == nil || err != nil {
		return err
	}
	return about(tmp, in.Remove(base))
}

// finish makes the changes that a write which was killed has left, and reports whether there are any.
func (w *staging) finish() (did bool, err error) {
	ops, err := readJournal(&w.in)
	if ops == nil || err != nil {
		return false, err
	}
	w.finishes = true
	for _, o := range ops {
		if err := w.apply(o); err != nil {
			return true, fmt.Errorf("finish a write that was interrupted: %w", err)
		}
	}
	w.finishes, w.made = false, nil
	return true, removeJournal(w.in.root)
}
