package packing

import (
	"fmt"
	"slices"

	"github.com/waybill-dev/waybill/pkg/bundling/manifest"
	"github.com/waybill-dev/waybill/pkg/bundling/manifestconfig"
)

// limits bound one work.
type Limits struct {
	Size    int // bytes as KubeStellar counts them
	Encoded int // bytes as an OCM hub counts them
	Objects int
	Sent    int  // bytes as the work is sent
	Always  bool // sent also holds for works without manifestConfigs
	Fill    int  // percentage of size and encoded up to which a work takes new objects
}

// What a hub stores of a work is bounded as well: by default etcd takes requests of 1.5 MiB. Neither
// KubeStellar nor OCM counts what a work says about its objects, which can be ten times the size of
// a small object; so a work that says something is closed before it passes maxSent as it is sent, in
// compact JSON. The rest up to 1.5 MiB is for what the hub adds: managed fields, status.
//
// Client-side apply stores the whole work in an annotation, and an API server takes 262,144 bytes of
// annotations: maxAnnotation leaves some for the other annotations.
const (
	MaxSent       = 1_000_000
	MaxAnnotation = 260_000
	AroundWork    = 2_000 // kind, metadata and brackets: names and labels are bounded
)

// Weight is what one object adds to a work, in bytes of compact JSON.
type Weight struct {
	Object     int
	Config     int                    // what the work says about it; 0 for nothing
	KindConfig *manifestconfig.Config // what the work says about its kind, once; nil for nothing
}

func (w Weight) Sent() int {
	const commas = 2
	return w.Object + w.Config + commas
}

// Load is what is in a work already.
type Load struct {
	size, Encoded, objects int

	Sent     int
	speaks   bool // says something about an object
	generals []*manifestconfig.Config
	large    bool // holds an object that is to be alone
}

// admits reports whether an object of that weight may join r: it must not bring the work to
// size, nor past one of the other limits. An empty work admits anything, so that no work stays
// empty, and what alone is too large (see tooLarge) has a work to itself.
func (l Limits) admits(r Load, w Weight) bool {
	return r.objects == 0 || l.hold(l.with(r, w))
}

// hold reports whether a work of several objects is within the limits.
func (l Limits) hold(r Load) bool { return l.passed(r) == Limit{} }

// Limit is a bound that a work has passed, by the option that sets it; the zero value is none.
type Limit struct {
	option string
	most   int
}

// whole is the limit that no option sets: what a hub stores of one work, its manifestConfigs included.
const whole = "work"

// passed is the first limit that a work of several objects has passed.
func (l Limits) passed(r Load) Limit {
	switch {
	case r.size >= l.Size:
		return Limit{"maxSize", l.Size}
	case r.Encoded > l.Encoded:
		return Limit{"manifestLimit", l.Encoded}
	case r.objects > l.Objects:
		return Limit{"maxObjects", l.Objects}
	case l.Always && r.Sent+AroundWork > l.Sent:
		return Limit{"applyWith", l.Sent}
	case r.speaks && r.Sent+AroundWork > l.Sent:
		return Limit{whole, l.Sent}
	}
	return Limit{}
}

// beside is r with hand-over entries beside it, which only a hub counts.
func (r Load) beside(entries Load) Load {
	r.Encoded, r.Sent = r.Encoded+entries.Encoded, r.Sent+entries.Sent
	r.speaks = r.speaks || entries.Sent > 0
	return r
}

// welcomes reports whether a new object may join r so that room for growth remains.
func (l Limits) welcomes(r Load, w Weight) bool {
	if r.objects == 0 || l.Fill >= wholly {
		return l.admits(r, w)
	}
	then := l.with(r, w)
	return !then.large && l.hold(then) && then.size <= l.filled() && (!then.speaks || then.Sent+AroundWork <= l.Sent/wholly*l.Fill)
}

const wholly = 100 // percent

// filled is the size up to which a work takes new objects.
func (l Limits) filled() int {
	size := min(l.Size, l.Encoded)
	if l.Always {
		size = min(size, l.Sent)
	}
	return size / wholly * l.Fill
}

// isLarge reports whether an object takes so much of a work that it is to have one for itself.
func (l Limits) isLarge(w Weight) bool { return manifest.CountedSize(w.Object) > l.filled()/2 }

func (l Limits) with(r Load, w Weight) Load {
	r.size, r.Encoded, r.objects = r.size+manifest.CountedSize(w.Object), r.Encoded+manifest.EncodedSize(w.Object), r.objects+1
	r.Sent, r.speaks = r.Sent+w.Sent(), r.speaks || w.Config > 0
	r.large = r.large || l.isLarge(w)
	if w.KindConfig != nil && !slices.Contains(r.generals, w.KindConfig) {
		r.generals = append(slices.Clip(r.generals), w.KindConfig)
		r.Sent, r.speaks = r.Sent+w.KindConfig.Length+1, true
	}
	return r
}

// Split numbers works from 0 and says which one each object of the given weights goes to, in
// order: a work that does not admit the next object is closed.
func (l Limits) Split(weights []Weight) []int {
	numbers, number, open := make([]int, len(weights)), 0, Load{}
	for i, w := range weights {
		if !l.admits(open, w) {
			number, open = number+1, Load{}
		}
		numbers[i], open = number, l.with(open, w)
	}
	return numbers
}

// TooLarge says which limit an object passes on its own: its size by the measure of that limit, the
// limit, and the option that sets it. An empty option means it fits.
func (l Limits) TooLarge(w Weight) (size, limit int, option string) {
	if n := manifest.CountedSize(w.Object); n > l.Size {
		return n, l.Size, "maxSize"
	}
	if n := manifest.EncodedSize(w.Object); n > l.Encoded {
		return n, l.Encoded, "manifestLimit"
	}
	if n := l.with(Load{}, w).Sent + AroundWork; l.Always && n > l.Sent {
		return n, l.Sent, "applyWith: client-side"
	}
	return 0, 0, ""
}

func (l Limit) Describe() string {
	switch l.option {
	case whole:
		return fmt.Sprintf("the %d bytes that a hub stores of one work, manifestConfigs included", l.most)
	case "applyWith":
		return fmt.Sprintf("the %d bytes that client-side apply takes", l.most)
	case "maxObjects":
		return fmt.Sprintf("the %d objects of %s", l.most, l.option)
	}
	return fmt.Sprintf("the %d bytes of %s", l.most, l.option)
}

// Remedy is what else helps.
func (l Limit) Remedy() string {
	switch l.option {
	case whole:
		return "have the work say less of each object: rollout: none, updateStrategy: Update, no createOnly"
	case "applyWith":
		return "set applyWith: server-side, and apply works in that way"
	case "maxObjects":
		return "raise maxObjects"
	}
	return "make the objects smaller, or raise " + l.option + " as far as the hub allows"
}

// MaxAnnotations is how much an API server takes in the annotations of an object, and so how large a work
// may be that client-side apply writes.
const MaxAnnotations = 262_144

// Overfull is a work by its number, and the limit that its objects have outgrown.
type Overfull struct {
	Number int
	Limit  Limit
}
