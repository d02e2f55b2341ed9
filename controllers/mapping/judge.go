package mapping

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"time"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/correspond"
	"github.com/waybill-dev/waybill/pkg/mapping"
)

// judge notes what is wrong with each parent that was looked at, and with the MapController as a whole.
func (p *pass) judge() {
	of := byOwner(p.attempts)
	for i := range p.result.Parents {
		parent := &p.result.Parents[i]
		if parent.Held && len(parent.Errors) == 0 && !p.coversParent(parent.Key) {
			continue // it is as it was
		}
		if text := p.wrong(parent, of[parent.Key]); text != "" {
			p.memory.failing[parent.Key] = text
		} else {
			delete(p.memory.failing, parent.Key)
		}
	}
	selected := p.byKey()
	maps.DeleteFunc(p.memory.failing, func(key, _ string) bool {
		return p.parents[key] == nil || selected[key] == nil && p.coversParent(key)
	})
	for key, text := range p.strays {
		if p.parents[key] != nil && p.memory.failing[key] == "" {
			p.memory.failing[key] = oneLine(text)
		}
	}
	p.judgeAll(selected)
}

// judgeAll notes what is wrong with no parent in particular. What was refused counts until a pass over all
// parents finds that it is over.
func (p *pass) judgeAll(parents map[string]*mapping.Parent) {
	if p.all {
		p.memory.refused = ""
	}
	refuse := func(why string) { p.memory.refused = cmp.Or(p.memory.refused, oneLine(why)) }
	for _, r := range p.result.Plan.Results {
		if r.Severity == sdk.Error && r.Owner == "" {
			refuse(r.Message)
		}
	}
	for _, why := range p.result.Refused {
		refuse(why)
	}
	if p.doomed != "" {
		refuse(p.doomed)
	}
	for _, a := range p.attempts {
		faster := errors.Is(a.Err, errFaster)
		p.soon = p.soon || faster
		switch {
		case a.Err == nil && !a.Skipped:
			p.memory.applied(a.Operation)
		case parents[a.Operation.Owner] == nil && a.Err != nil && !faster:
			refuse(a.Err.Error()) // of a parent that is gone
		}
	}
}

// byKey are the parents by their keys.
func (p *pass) byKey() map[string]*mapping.Parent {
	out := make(map[string]*mapping.Parent, len(p.result.Parents))
	for i := range p.result.Parents {
		out[p.result.Parents[i].Key] = &p.result.Parents[i]
	}
	return out
}

// wrong is the first thing that is wrong with a parent; "" when nothing is. That somebody else was faster is
// nothing.
func (p *pass) wrong(parent *mapping.Parent, attempts []correspond.Attempt) string {
	all := parent.Errors
	for _, a := range attempts {
		if a.Err != nil && !errors.Is(a.Err, errFaster) {
			all = append(all, fmt.Sprintf("map(%s): %v", a.Operation.Key, a.Err))
		}
	}
	switch len(all) {
	case 0:
		return ""
	case 1:
		return oneLine(all[0])
	}
	return oneLine(fmt.Sprintf("%s (and %d more)", all[0], len(all)-1))
}

// byOwner are operations with what became of them, by the parent.
func byOwner(attempts []correspond.Attempt) map[string][]correspond.Attempt {
	out := map[string][]correspond.Attempt{}
	for _, a := range attempts {
		out[a.Operation.Owner] = append(out[a.Operation.Owner], a)
	}
	return out
}

// failing is what is wrong after a pass; nil when all is well.
func (w *worker) failing() *fault {
	switch n := len(w.memory.failing); {
	case n > 0:
		first := ""
		for key := range w.memory.failing {
			if first == "" || key < first {
				first = key
			}
		}
		return &fault{reason: waybill.ReasonFailing,
			message: bounded(fmt.Sprintf("%d of the parents have errors, which their events tell; the first is %s: %s", n, first,
				w.memory.failing[first]))}
	case w.memory.refused != "":
		return &fault{reason: waybill.ReasonRefused, message: w.memory.refused}
	}
	if n, until := w.ready.patient.waits(); n > 0 {
		return &fault{reason: waybill.ReasonProgressing, message: fmt.Sprintf(
			"%d of the parents wait for webhooks that asked for time (status 429), until %s at most", n, until.UTC().Format(time.RFC3339))}
	}
	return nil
}
