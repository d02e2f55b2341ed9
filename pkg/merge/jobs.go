package merge

import (
	"errors"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/merge/document"
	"github.com/waybill-dev/waybill/pkg/parallel"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// job is one file to merge.
type job struct {
	pkg, file string
	versions
	strategy Strategy

	out       *pkgtree.Blob
	conflicts []Conflict
	err       error
}

// runJobs merges the files on all processors. Of several errors it returns that of the first file.
func (p *packages) runJobs() error {
	for f, b := range p.out { // taken as it is, but with marks
		p.jobs = append(p.jobs, job{file: f, versions: versions{b, b, b}, strategy: ResourceMerge})
	}
	parallel.For(len(p.jobs), func(i int) { p.runJob(&p.jobs[i]) })
	var first *job
	for i := range p.jobs {
		j := &p.jobs[i]
		if j.err != nil && (first == nil || j.file < first.file) {
			first = j
		}
		if j.out != nil {
			p.out[j.file] = j.out
		}
		for _, c := range j.conflicts {
			p.conflict(j.pkg, j.file, c)
		}
	}
	if first != nil {
		return first.err
	}
	return nil
}

// runJob merges one file.
func (p *packages) runJob(j *job) {
	switch {
	case j.base.Equal(j.theirs) && j.base.Equal(j.ours):
		j.out = document.Marked(j.file, j.ours)
	case document.IsKptfile(j.file):
		j.out, j.conflicts, j.err = p.kptfile(j)
	case j.strategy != ResourceMerge:
		j.out, j.conflicts = replaceFile(j, p.opts.Prefer)
		j.out = document.Marked(j.file, j.out)
	case document.IsResourceFile(j.file) && holdsNoObject(j.versions):
		j.out, j.conflicts, j.err = mergeAsValue(j.file, j.versions, p.opts.Prefer)
		j.out = document.Marked(j.file, j.out)
	case document.IsResourceFile(j.file):
		r := resourceFile{file: j.file, prefer: p.opts.Prefer, types: p.types}
		j.out, j.err = r.merge(j.versions)
		j.conflicts = r.conflicts
		j.takeUnreadable()
	default:
		j.out, j.conflicts = mergePlainFile(j.file, j.versions, p.opts.Prefer)
	}
}

// takeUnreadable handles a file that cannot be parsed, such as a template: if only one side changed it, that
// side wins.
func (j *job) takeUnreadable() {
	var unreadable *krm.ParseError
	if !errors.As(j.err, &unreadable) {
		return
	}
	switch {
	case j.base.Equal(j.ours) || j.theirs.Equal(j.ours):
		j.out, j.err = j.theirs, nil
	case j.base.Equal(j.theirs):
		j.out, j.err = j.ours, nil
	}
}
