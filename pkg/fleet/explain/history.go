package explain

import (
	"path"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/render"
)

// functionName is what the function of a step is called: the last part of its image.
func functionName(t *render.Trace) string {
	image, _, _ := strings.Cut(t.Function.Image, "@")
	name := path.Base(image)
	name, _, _ = strings.Cut(name, ":")
	if t.Function.Image == "" {
		return t.Function.Exec
	}
	return name
}

// previous is the object that a step was given in the place of o, which it gave back; nil when the step made o.
func previous(t *render.Trace, o *krm.Object) *krm.Object {
	for _, other := range t.After {
		if other == o {
			break
		}
		if other.Origin() == o.Origin() {
			return nil // of two copies the second is new
		}
	}
	at := slices.IndexFunc(t.Given, func(g *krm.Object) bool { return g.Origin() == o.Origin() })
	if at < 0 {
		return nil
	}
	return t.Given[at]
}

// version is an object as it was from some step on.
type version struct {
	object *krm.Object
	trace  int // of the step that made it so; asRead for none
}

const asRead = -1

// history is what o, as it is when as many steps have run, was before, the oldest first. The first version was read, or
// made by a step.
func (p *renderedPackage) history(o *krm.Object, steps int) (out []version) {
	for i := steps - 1; i >= 0; i-- {
		t := &p.Result.Traces[i]
		if !slices.Contains(t.After, o) || slices.Contains(t.Before, o) {
			continue
		}
		out = append(out, version{o, i})
		was := previous(t, o)
		if was == nil {
			slices.Reverse(out)
			return out
		}
		o = was
	}
	out = append(out, version{o, asRead})
	slices.Reverse(out)
	return out
}
