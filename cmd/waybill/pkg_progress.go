package main

import (
	"fmt"
	"io"
	"path"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/upstream"
)

// pkgProgress tells what is fetched, and what becomes of it, in the words of kpt.
type pkgProgress struct {
	out  io.Writer
	root string // what the package is called
	upon string // what is fetched: "upstream " where there is an origin, too
	last string // the package that was told of last

	told map[upstream.Event]bool // what was looked at before is not fetched again
}

func (p *pkgProgress) observe(e upstream.Event) {
	if p.told[e] {
		return
	}
	if p.told == nil {
		p.told = map[upstream.Event]bool{}
	}
	p.told[e] = true
	name := path.Join(p.root, e.Package)
	if name != p.last {
		p.say("Package %q:", name)
		p.last = name
	}
	switch e.Did {
	case upstream.Fetching:
		p.say("Fetching %s%s", p.upon, placeOf(e.From))
	case upstream.FetchingOrigin:
		p.say("Fetching origin from %s", placeOf(e.From))
	case upstream.Adding:
		p.say("Adding package %q.\n", upstream.NameOf(e.From))
	case upstream.Updating:
		p.say("Updating package %q with strategy %q.\n", path.Base(name), e.Strategy)
	}
}

func (p *pkgProgress) say(format string, args ...any) {
	fmt.Fprintln(p.out, inert(fmt.Sprintf(format, args...)))
}

// leftOut warns of what is not part of a package although upstream has it there.
func (p *pkgProgress) leftOut(what []upstream.LeftOut) {
	for _, l := range what {
		p.say("warning: %s: a %s is not part of a package, and was left out", l.Path, l.Kind)
	}
}

// placeOf is where a package comes from: repository and ref.
func placeOf(g kptfilev1.Git) string {
	if g.Ref == "" {
		return g.Repo
	}
	return g.Repo + "@" + gitrepo.RedactRef(g.Ref)
}
