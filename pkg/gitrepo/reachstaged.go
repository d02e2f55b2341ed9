package gitrepo

import (
	"fmt"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/waybill-dev/waybill/pkg/gitrepo/pack"
)

// reachable returns the staged objects that the updates reach, each before those it refers to, in an order that
// depends only on their content, with the objects that they resemble.
func (s *Stage) reachable(updates []RefUpdate) ([]pack.Item, error) {
	w := walker{stage: s, seen: map[Hash]bool{}, last: map[lastKey]*pack.Object{}, old: map[int]oldTree{}}
	for _, u := range updates {
		if u.New.IsZero() {
			continue
		}
		if err := w.visit(node{id: u.New, before: u.Old}); err != nil {
			return nil, err
		}
	}
	return w.items, nil
}

type walker struct {
	stage *Stage
	seen  map[Hash]bool
	items []pack.Item
	last  map[lastKey]*pack.Object
	old   map[int]oldTree // the last one of each depth: many commits replace the same root
}

// oldTree are the entries of a tree that the remote has.
type oldTree struct {
	id      Hash
	entries map[string]Hash // ids by name
}

// node is an object below a commit.
type node struct {
	id     Hash
	before Hash // what has this place in a commit that the remote has; zero if nothing has
	name   string
	depth  int // of directories
}

// lastKey groups objects that probably resemble each other: those of one name, such as the works of clusters, and those of one
// depth, such as the directories of clusters.
type lastKey struct {
	kind  plumbing.ObjectType
	name  string
	depth int
}

func (w *walker) visit(n node) error {
	if w.seen[n.id] {
		return nil
	}
	w.seen[n.id] = true
	o, err := w.stage.object(n.id)
	if err != nil {
		return err
	}
	if o == nil {
		return fmt.Errorf("object %s is neither staged nor known", n.id)
	}
	if w.stage.staged[n.id] == nil { // the remote has it, and all it refers to
		return nil
	}
	if err := w.add(o, n); err != nil {
		return err
	}
	next, err := w.below(o, n)
	if err != nil {
		return err
	}
	for _, n := range next {
		if err := w.visit(n); err != nil {
			return err
		}
	}
	return nil
}

// add adds an object to the items.
func (w *walker) add(o *pack.Object, n node) (err error) {
	it := pack.Item{Object: o}
	if w.stage.staged[n.before] == nil {
		if it.Before, err = w.stage.repo.object(n.before); err != nil {
			return err
		}
	}
	byName, byDepth := lastKey{kind: o.Kind, name: n.name}, lastKey{kind: o.Kind, depth: n.depth}
	if it.Like = w.last[byName]; it.Like == nil {
		it.Like = w.last[byDepth]
	}
	w.last[byName], w.last[byDepth] = o, o
	w.items = append(w.items, it)
	return nil
}

// below returns what an object refers to, without the commits of submodules.
func (w *walker) below(o *pack.Object, n node) ([]node, error) {
	switch o.Kind {
	case plumbing.CommitObject:
		return w.belowCommit(o, n)
	case plumbing.TreeObject:
		return w.belowTree(o, n)
	}
	return nil, nil
}

// belowCommit returns tree and parents of a commit. What the tree resembles is that of the first parent, if the remote has it,
// and else that of the commit at which the ref was.
func (w *walker) belowCommit(o *pack.Object, n node) ([]node, error) {
	c, err := decodeCommit(w.stage, o.ID)
	if err != nil {
		return nil, err
	}
	before := n.before
	if len(c.Parents) > 0 && w.stage.staged[c.Parents[0]] == nil {
		before = c.Parents[0]
	}
	next := []node{{id: c.Tree}}
	if was, err := decodeCommit(w.stage.repo, w.stage.repo.peel(before)); err == nil {
		next[0].before = was.Tree
	}
	for _, p := range c.Parents {
		next = append(next, node{id: p, before: before})
	}
	return next, nil
}

func (w *walker) belowTree(o *pack.Object, n node) ([]node, error) {
	entries, err := entriesOf(o)
	if err != nil {
		return nil, err
	}
	old := w.entriesBefore(n)
	var next []node
	for _, e := range entries {
		if e.mode != modeModule && e.id != old[e.name] { // the remote has what is as it was
			next = append(next, node{id: e.id, before: old[e.name], name: e.name, depth: n.depth + 1})
		}
	}
	return next, nil
}

// entriesBefore are the entries that the remote has in the place of a tree; none if it has no tree there.
func (w *walker) entriesBefore(n node) map[string]Hash {
	if old, known := w.old[n.depth]; known && old.id == n.before {
		return old.entries
	}
	entries := map[string]Hash{}
	if was, err := readTree(w.stage.repo, n.before); err == nil {
		for _, e := range was {
			if e.mode != modeModule { // the remote need not have the commit of a submodule
				entries[e.name] = e.id
			}
		}
	}
	w.old[n.depth] = oldTree{n.before, entries}
	return entries
}
