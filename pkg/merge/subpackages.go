package merge

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/merge/document"
	"github.com/waybill-dev/waybill/pkg/merge/object"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// decision says how much of a package is decided.
type decision int

const (
	mergeFiles   decision = iota // nothing: its files merge
	filesDecided                 // its files, but not its subpackages
	allDecided                   // everything in it
)

// planAll decides about every package, and adds jobs for the files that merge.
func (p *packages) planAll() error {
	p.planFiles(".", p.opts.Strategy)
	done := map[string]bool{} // everything in them is decided
	strategies := map[string]Strategy{".": p.opts.Strategy}
	for _, dir := range p.subpackages {
		parent := path.Dir(dir)
		for parent != "." && !done[parent] && strategies[parent] == "" {
			parent = path.Dir(parent)
		}
		if done[parent] {
			done[dir] = true
			continue
		}
		how, err := p.planSubpackage(dir, strategies[parent])
		if err == nil {
			strategies[dir], err = p.strategyOf(dir, strategies[parent])
		}
		if err == nil && how == mergeFiles {
			err = p.planPresent(dir, strategies[dir])
		}
		if err != nil {
			return err
		}
		done[dir] = how == allDecided
	}
	if len(p.changed) > 0 {
		return &ModifiedError{Paths: sorted(p.changed)}
	}
	return nil
}

// planSubpackage decides about a subpackage that is not in all three trees.
func (p *packages) planSubpackage(dir string, s Strategy) (decision, error) {
	o, u, l := p.has(base, dir), p.has(theirs, dir), p.has(ours, dir)
	remote := p.isRemote(dir)
	if remote && s != CopyMerge { // its parent's strategy does not apply to it
		s = ResourceMerge
	}
	switch {
	case o && u && l:
		return mergeFiles, nil
	case s == FastForward && l != o:
		p.changed = append(p.changed, dir+" (Package)")
	case !o && u && l && (s == ResourceMerge || remote):
		return mergeFiles, fmt.Errorf("subpackage %q added in both upstream and local", dir)
	case remote && s == CopyMerge && o && l:
		return p.deletedRemote(dir), nil
	case s == ForceDeleteReplace || s == CopyMerge:
		return mergeFiles, nil // file by file
	case !o && u:
		p.takeAll(dir, p.theirs)
	case l && !o:
		p.takeAll(dir, p.ours)
	case l:
		return p.deletedUpstream(dir, s), nil
	case u && !p.same(p.below(dir), p.base, p.theirs):
		p.conflict(dir, dir, object.WholeConflict(true, object.Changed, ""))
	}
	return allDecided, nil
}

func (p *packages) takeAll(dir string, from pkgtree.Tree) { p.take(p.below(dir), from) }

// take takes files as they are in one of the trees.
func (p *packages) take(files []string, from pkgtree.Tree) {
	for _, f := range files {
		if b := from.Blob(f); b != nil {
			p.out[f] = b
		}
	}
}

// deletedUpstream keeps a subpackage that was changed locally. One that was not is deleted, and so are
// subpackages of it that were, unless ours is preferred.
func (p *packages) deletedUpstream(dir string, s Strategy) decision {
	keeps := !p.same(p.members[dir], p.base, p.ours)
	switch {
	case keeps && s == FastForward:
		p.changed = append(p.changed, dir+" (Package)")
		return allDecided
	case keeps:
		p.recordDeletion(dir, true)
		p.take(p.members[dir], p.ours)
		return filesDecided
	}
	for _, sub := range p.subpackages {
		if !strings.HasPrefix(sub, dir+"/") || p.same(p.members[sub], p.base, p.ours) {
			continue
		}
		if s == FastForward {
			p.changed = append(p.changed, sub+" (Package)")
			continue
		}
		if p.recordDeletion(sub, p.opts.Prefer == object.Local); p.opts.Prefer == object.Local {
			p.take(p.members[sub], p.ours)
		}
	}
	return allDecided
}

// deletedRemote deletes all of a remote subpackage, its own subpackages included. If anything in it was changed locally, it keeps all.
func (p *packages) deletedRemote(dir string) decision {
	if !p.same(p.below(dir), p.base, p.ours) {
		p.recordDeletion(dir, true)
		p.takeAll(dir, p.ours)
	}
	return allDecided
}

// recordDeletion records that a subpackage was deleted upstream and changed here.
func (p *packages) recordDeletion(dir string, stays bool) {
	c := object.WholeConflict(true, "", object.Changed)
	if stays && p.opts.Prefer != object.Fail {
		c.Chosen = object.ValueOf(object.ChosenOurs)
	}
	p.conflict(dir, dir, c)
}

// same reports whether files are equal in both trees, apart from marks.
func (p *packages) same(files []string, a, b pkgtree.Tree) bool {
	return !slices.ContainsFunc(files, func(f string) bool { return !document.SameContent(f, a.Blob(f), b.Blob(f)) })
}

// isRemote reports whether a subpackage has an upstream of its own, in any tree.
func (p *packages) isRemote(dir string) bool {
	v := p.versions(dir + "/" + kptfile.Name)
	for _, b := range []*pkgtree.Blob{v.base, v.theirs, v.ours} {
		if _, _, up := upstreamOf(b); up {
			return true
		}
	}
	return false
}

// strategyOf is the strategy of a remote subpackage itself, and for others that of their parent.
func (p *packages) strategyOf(dir string, parents Strategy) (Strategy, error) {
	file := dir + "/" + kptfile.Name
	own, _, up := upstreamOf(p.ours.Blob(file))
	switch {
	case !up:
		return parents, nil
	case !own.Known():
		return "", fmt.Errorf("%s: %w", file, UnknownStrategy(own))
	}
	return own, nil
}

// planPresent adds the jobs for a subpackage that merges.
func (p *packages) planPresent(dir string, s Strategy) error {
	file := dir + "/" + kptfile.Name
	v := p.versions(file)
	_, locked, up := upstreamOf(v.theirs)
	if _, lockedO, upO := upstreamOf(v.base); upO && !lockedO && locked {
		return fmt.Errorf("subpackage %q: no origin available for package", dir)
	}
	if up && !locked { // its content was never fetched
		for _, f := range p.members[dir] {
			if b := p.ours.Blob(f); b != nil && f != file {
				p.out[f] = b
			}
		}
		p.jobs = append(p.jobs, job{pkg: dir, file: file, versions: v, strategy: ResourceMerge})
		return nil
	}
	p.planFiles(dir, s)
	return nil
}

// planFiles adds the jobs for the files of one package, without its subpackages.
func (p *packages) planFiles(dir string, s Strategy) {
	if s == FastForward {
		for _, f := range p.members[dir] {
			if v := p.versions(f); !p.unmodified(f, v) {
				p.changed = append(p.changed, f)
			}
		}
	}
	for _, f := range p.members[dir] {
		p.jobs = append(p.jobs, job{pkg: dir, file: f, versions: p.versions(f), strategy: s})
	}
}

// unmodified reports whether ours equals base, apart from the fields of a Kptfile that sameKptfile ignores.
func (p *packages) unmodified(file string, v versions) bool {
	if document.IsKptfile(file) && v.base != nil && v.ours != nil {
		return p.sameKptfile(v.base, v.ours, file == kptfile.Name)
	}
	if file == kptfile.Name {
		return true // getting a package without a Kptfile makes one
	}
	return document.SameContent(file, v.base, v.ours)
}
