package pkg

import (
	"fmt"
	"io"
	"path"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/upstream"
)

// fetchProgress prints what is fetched and what becomes of it, in kpt's words.
type fetchProgress struct {
	out    io.Writer
	root   string // the name of the package
	prefix string // "upstream " if there is an origin too
	last   string // the package that was printed last

	printed map[upstream.Event]bool // a second look at the same source fetches nothing
}

func (p *fetchProgress) observe(e upstream.Event) {
	if p.printed[e] {
		return
	}
	if p.printed == nil {
		p.printed = map[upstream.Event]bool{}
	}
	p.printed[e] = true
	name := path.Join(p.root, e.Package)
	if name != p.last {
		p.printf("Package %q:", name)
		p.last = name
	}
	switch e.Action {
	case upstream.Fetching:
		p.printf("Fetching %s%s", p.prefix, placeOf(e.From))
	case upstream.FetchingOrigin:
		p.printf("Fetching origin from %s", placeOf(e.From))
	case upstream.Adding:
		p.printf("Adding package %q.\n", upstream.NameOf(e.From))
	case upstream.Updating:
		p.printf("Updating package %q with strategy %q.\n", path.Base(name), e.Strategy)
	}
}

func (p *fetchProgress) printf(format string, args ...any) {
	fmt.Fprintln(p.out, cli.SafeText(fmt.Sprintf(format, args...)))
}

// leftOut warns of files of upstream that cannot be part of a package.
func (p *fetchProgress) leftOut(what []upstream.LeftOut) {
	for _, l := range what {
		p.printf("warning: %s: a %s is not part of a package, and was left out", l.Path, l.Kind)
	}
}

// placeOf returns repository and ref of a package.
func placeOf(g kptfilev1.Git) string {
	if g.Ref == "" {
		return g.Repo
	}
	return g.Repo + "@" + gitrepo.RedactRef(g.Ref)
}
