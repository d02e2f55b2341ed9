package correspond

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/safetext"
)

// What a run says is bounded: so many results of one edge and severity, so many bytes each.
const (
	MaxResults      = 1000
	maxMessageBytes = 2048
)

// say adds a result about a key.
func (r *run) say(g *group, sev sdk.Severity, why Reason, about *krm.Object, at *field.Path, format string, args ...any) {
	message := g.run.title(g.Key) + OneLine(fmt.Sprintf(format, args...))
	if g.Owner != g.Key {
		message += " (owner " + g.Owner + ")"
	}
	r.results = append(r.results, Result{
		Severity: sev, Reason: why, Controller: g.Controller, Edge: g.Edge, Owner: g.Owner, Key: g.Key,
		Object: about, Field: at, Message: message,
	})
}

// sayOf adds a result about an edge.
func (r *run) sayOf(e *edgeRun, sev sdk.Severity, why Reason, format string, args ...any) {
	r.results = append(r.results, Result{
		Severity: sev, Reason: why, Controller: e.Controller, Edge: e.Name,
		Message: e.title("") + OneLine(fmt.Sprintf(format, args...)),
	})
}

// title begins a message: "translate(<key>): ", with the edge's name where that says something.
func (e *edgeRun) title(key string) string {
	switch {
	case key == "" && e.Name == "out":
		return e.Verb + ": "
	case key == "":
		return e.Verb + "(" + e.Name + "): "
	case e.Name == "out":
		return e.Verb + "(" + key + "): "
	}
	return e.Verb + "(" + e.Name + " " + key + "): "
}

// OneLine is a message in one line of bounded length.
func OneLine(s string) string {
	if strings.ContainsAny(s, "\r\n") {
		s = strings.Join(strings.FieldsFunc(s, func(c rune) bool { return c == '\n' || c == '\r' }), "; ")
	}
	return safetext.Cut(s, maxMessageBytes, "...")
}

// sortedResults are all results by key, severity and message, and no more of them than anybody reads.
func (r *run) sortedResults() []Result {
	slices.SortStableFunc(r.results, func(a, b Result) int {
		return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(fn.Gravity(a.Severity), fn.Gravity(b.Severity)), cmp.Compare(a.Message, b.Message),
			cmp.Compare(a.Controller, b.Controller), cmp.Compare(a.Edge, b.Edge), cmp.Compare(a.Owner, b.Owner), compareAbout(a.Object, b.Object))
	})
	type class struct {
		controller, edge string
		severity         int
	}
	seen, kept := map[class]int{}, r.results[:0]
	for _, res := range r.results {
		c := class{res.Controller, res.Edge, fn.Gravity(res.Severity)}
		if seen[c]++; seen[c] <= MaxResults {
			kept = append(kept, res)
		}
	}
	for _, e := range r.edges {
		for _, sev := range []sdk.Severity{sdk.Error, sdk.Warning, sdk.Info} {
			c := class{e.Controller, e.Name, fn.Gravity(sev)}
			if more := seen[c] - MaxResults; more > 0 {
				kept = append(kept, Result{
					Severity: sev, Reason: ReasonUnlisted, Controller: e.Controller, Edge: e.Name,
					Message: fmt.Sprintf("%sand %d more results of severity %s", e.title(""), more, sev),
				})
				delete(seen, c)
			}
		}
	}
	return kept
}

func compareAbout(a, b *krm.Object) int {
	if a == nil || b == nil {
		return 0
	}
	return cmp.Compare(a.ID().String(), b.ID().String())
}

// Report is the results as a function gives them.
func (p *Plan) Report() sdk.Results {
	var out sdk.Results
	for _, r := range p.Results {
		out = append(out, fn.NewResult(r.Severity, r.Object, r.Field, "%s", r.Message))
	}
	return out
}

// Failed reports whether any result is an error.
func (p *Plan) Failed() bool {
	return slices.ContainsFunc(p.Results, func(r Result) bool { return r.Severity == sdk.Error })
}
