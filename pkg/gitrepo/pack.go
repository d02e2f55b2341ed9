package gitrepo

import (
	"bytes"
	"fmt"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"
	"github.com/go-git/go-git/v5/storage/memory"
)

// reachable are the staged objects that tips reach, each before what it refers to, in an order
// that depends on nothing but their content.
func (s *Stage) reachable(tips []Hash) ([]*encoded, error) {
	w := walker{stage: s, seen: map[Hash]bool{}}
	for _, id := range tips {
		if err := w.visit(id); err != nil {
			return nil, err
		}
	}
	return w.order, nil
}

// encodePack writes a pack of objs without deltas, which packages are too small to be worth. It
// may hold none: a push that only names known commits still sends a pack.
func encodePack(objs []*encoded) (*bytes.Buffer, error) {
	scratch := memory.NewStorage()
	ids := make([]plumbing.Hash, 0, len(objs))
	for _, o := range objs {
		id, err := scratch.SetEncodedObject(o)
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	var buf bytes.Buffer
	_, err := packfile.NewEncoder(&buf, scratch, false).Encode(ids, 0)
	return &buf, err
}

type walker struct {
	stage *Stage
	seen  map[Hash]bool
	order []*encoded
}

func (w *walker) visit(id Hash) error {
	if w.seen[id] {
		return nil
	}
	w.seen[id] = true
	o, err := w.stage.object(id)
	if err != nil {
		return err
	}
	if o == nil {
		return fmt.Errorf("object %s is neither staged nor known", id)
	}
	if w.stage.made[id] == nil { // the remote has it, and all it refers to
		return nil
	}
	w.order = append(w.order, o)
	next, err := references(w.stage, o)
	if err != nil {
		return err
	}
	for _, id := range next {
		if err := w.visit(id); err != nil {
			return err
		}
	}
	return nil
}

// references are the objects that o needs beside it. A submodule's commit lives elsewhere.
func references(from objects, o *encoded) ([]Hash, error) {
	var out []Hash
	switch o.kind {
	case plumbing.CommitObject:
		c, err := decodeCommit(from, o.id)
		return append([]Hash{c.Tree}, c.Parents...), err
	case plumbing.TreeObject:
		entries, err := parseTree(o.data)
		for _, e := range entries {
			if e.mode != modeModule {
				out = append(out, e.id)
			}
		}
		return out, err
	}
	return nil, nil
}
