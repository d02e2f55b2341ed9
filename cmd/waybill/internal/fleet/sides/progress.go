package sides

import (
	"fmt"
	"path"
	"strings"
	"sync"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/render"
)

// Rendering shows which package of which side is being rendered.
type Rendering struct {
	to    *cli.Progress
	mu    sync.Mutex
	sides []*renderedSide
}

// renderedSide counts the packages of a side.
type renderedSide struct {
	name           string
	started, total int
}

// NewRendering returns a Rendering that shows itself on to.
func NewRendering(to *cli.Progress) *Rendering { return &Rendering{to: to} }

// Watch adds a side, and returns the observer of its render. A single side needs no name.
func (r *Rendering) Watch(name string, tree pkgtree.Tree) func(render.Event) {
	side := &renderedSide{name: name}
	for p := range tree.All() {
		if path.Base(p) == kptfile.Name {
			side.total++
		}
	}
	r.sides = append(r.sides, side)
	return func(e render.Event) {
		if e.Step != nil {
			return
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		side.started = min(side.started+1, side.total)
		r.to.Show(r.line())
	}
}

// line is such as "Rendering package 2 of 3 (before), 1 of 3 (after)".
func (r *Rendering) line() string {
	var parts []string
	for _, s := range r.sides {
		part := fmt.Sprintf("%d of %d", s.started, s.total)
		if s.name != "" {
			part += " (" + s.name + ")"
		}
		parts = append(parts, part)
	}
	return "Rendering package " + strings.Join(parts, ", ")
}

// comparing shows how many clusters are compared.
func comparing(to *cli.Progress) func(done, total int) {
	return func(done, total int) { to.Show(fmt.Sprintf("Comparing cluster %d of %d", done, total)) }
}
