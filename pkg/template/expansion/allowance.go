package expansion

import "github.com/waybill-dev/waybill/pkg/template"

// Bounds on all templates of one run together, for every object and every cluster. Putting a few
// properties into text takes 4 to 10 units of work, so that 100 objects with ten such strings for
// 10,000 clusters take a tenth of what there is; all of it takes from some seconds up to a minute.
const (
	maxRunWork  = 1_000_000_000
	maxRunBytes = 2 << 30
)

// Allowance is what the templates of one run may still use. Who draws first is served, so objects
// and clusters have to come in a fixed order, and one goroutine uses it.
type Allowance struct {
	Work  int64 // in steps, each about what evaluating one field takes
	Bytes int64 // of what templates give, errors included
}

// NewAllowance is the Allowance of a run that begins.
func NewAllowance() *Allowance { return &Allowance{Work: maxRunWork, Bytes: maxRunBytes} }

// Spent reports whether a bound was passed. Nothing is to be filled in any more: Fill said where.
func (a *Allowance) Spent() bool { return a.Work < 0 || a.Bytes < 0 }

// draw takes what one object used for one cluster, and says so when that is more than is left.
func (a *Allowance) draw(work, bytes int) error {
	a.Work -= int64(work)
	a.Bytes -= int64(bytes)
	const way = "what follows was not tried; render fewer clusters at a time, or use fewer and smaller"
	switch {
	case a.Work < 0:
		return template.Refuse("here the templates of this run used up the %d steps that all objects and clusters share; %s loops", maxRunWork, way)
	case a.Bytes < 0:
		return template.Refuse("here the templates of this run passed the %d bytes that all objects and clusters may get from them; %s templates",
			int64(maxRunBytes), way)
	}
	return nil
}
