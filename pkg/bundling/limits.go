package bundling

import (
	"fmt"
	"slices"

	"github.com/waybill-dev/waybill/pkg/bundling/manifest"
	"github.com/waybill-dev/waybill/pkg/bundling/manifestconfig"
)

// limits bound one work.
type limits struct {
	size    int // bytes as KubeStellar counts them
	encoded int // bytes as an OCM hub counts them
	objects int
	sent    int  // bytes as the work is sent
	always  bool // sent also holds for works without manifestConfigs
	fill    int  // percentage of size and encoded up to which a work takes new objects
}

// What a hub stores of a work is bounded as well: by default etcd takes requests of 1.5 MiB. Neither
// KubeStellar nor OCM counts what a work says about its objects, which can be ten times the size of
// a small object; so a work that says something is closed before it passes maxSent as it is sent, in
// compact JSON. The rest up to 1.5 MiB is for what the hub adds: managed fields, status.
//
// Client-side apply stores the whole work in an annotation, and an API server takes 262,144 bytes of
// annotations: maxAnnotation leaves some for the other annotations.
const (
	maxSent       = 1_000_000
	maxAnnotation = 260_000
	aroundWork    = 2_000 // kind, metadata and brackets: names and labels are bounded
)

// weight is what one object adds to a work, in bytes of compact JSON.
type weight struct {
	object  int
	config  int                    // what the work says about it; 0 for nothing
	general *manifestconfig.Config // what the work says about its kind, once; nil for nothing
}

func (w weight) sent() int {
	const commas = 2
	return w.object + w.config + commas
}

// load is what is in a work already.
type load struct {
	size, encoded, objects int

	sent     int
	speaks   bool // says something about an object
	generals []*manifestconfig.Config
	large    bool // holds an object that is to be alone
}

// admits reports whether an object of that weight may join r: it must not bring the work to
// size, nor past one of the other limits. An empty work admits anything, so that no work stays
// empty, and what alone is too large (see tooLarge) has a work to itself.
func (l limits) admits(r load, w weight) bool {
	return r.objects == 0 || l.hold(l.with(r, w))
}

// hold reports whether a work of several objects is within the limits.
func (l limits) hold(r load) bool { return l.passed(r) == limit{} }

// limit is a bound that a work has passed, by the option that sets it; the zero value is none.
type limit struct {
	option string
	most   int
}

// whole is the limit that no option sets: what a hub stores of one work, its manifestConfigs included.
const whole = "work"

// passed is the first limit that a work of several objects has passed.
func (l limits) passed(r load) limit {
	switch {
	case r.size >= l.size:
		return limit{"maxSize", l.size}
	case r.encoded > l.encoded:
		return limit{"manifestLimit", l.encoded}
	case r.objects > l.objects:
		return limit{"maxObjects", l.objects}
	case l.always && r.sent+aroundWork > l.sent:
		return limit{"applyWith", l.sent}
	case r.speaks && r.sent+aroundWork > l.sent:
		return limit{whole, l.sent}
	}
	return limit{}
}

// beside is r with hand-over entries beside it, which only a hub counts.
func (r load) beside(entries load) load {
	r.encoded, r.sent = r.encoded+entries.encoded, r.sent+entries.sent
	r.speaks = r.speaks || entries.sent > 0
	return r
}

// welcomes reports whether a new object may join r so that room for growth remains.
func (l limits) welcomes(r load, w weight) bool {
	if r.objects == 0 || l.fill >= wholly {
		return l.admits(r, w)
	}
	then := l.with(r, w)
	return !then.large && l.hold(then) && then.size <= l.filled() && (!then.speaks || then.sent+aroundWork <= l.sent/wholly*l.fill)
}

const wholly = 100 // percent

// filled is the size up to which a work takes new objects.
func (l limits) filled() int {
	size := min(l.size, l.encoded)
	if l.always {
		size = min(size, l.sent)
	}
	return size / wholly * l.fill
}

// isLarge reports whether an object takes so much of a work that it is to have one for itself.
func (l limits) isLarge(w weight) bool { return manifest.CountedSize(w.object) > l.filled()/2 }

func (l limits) with(r load, w weight) load {
	r.size, r.encoded, r.objects = r.size+manifest.CountedSize(w.object), r.encoded+manifest.EncodedSize(w.object), r.objects+1
	r.sent, r.speaks = r.sent+w.sent(), r.speaks || w.config > 0
	r.large = r.large || l.isLarge(w)
	if w.general != nil && !slices.Contains(r.generals, w.general) {
		r.generals = append(slices.Clip(r.generals), w.general)
		r.sent, r.speaks = r.sent+w.general.Length+1, true
	}
	return r
}

// cut numbers works from 0 and says which one each object of the given weights goes to, in
// order: a work that does not admit the next object is closed.
func (l limits) cut(weights []weight) []int {
	numbers, number, open := make([]int, len(weights)), 0, load{}
	for i, w := range weights {
		if !l.admits(open, w) {
			number, open = number+1, load{}
		}
		numbers[i], open = number, l.with(open, w)
	}
	return numbers
}

// tooLarge says which limit an object passes on its own: its size by the measure of that limit, the
// limit, and the option that sets it. An empty option means it fits.
func (l limits) tooLarge(w weight) (size, limit int, option string) {
	if n := manifest.CountedSize(w.object); n > l.size {
		return n, l.size, "maxSize"
	}
	if n := manifest.EncodedSize(w.object); n > l.encoded {
		return n, l.encoded, "manifestLimit"
	}
	if n := l.with(load{}, w).sent + aroundWork; l.always && n > l.sent {
		return n, l.sent, "applyWith: " + clientSide
	}
	return 0, 0, ""
}

func (l limit) describe() string {
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

// remedy is what else helps.
func (l limit) remedy() string {
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

// maxAnnotations is how much an API server takes in the annotations of an object, and so how large a work
// may be that client-side apply writes.
const maxAnnotations = 262_144

// overfullWork is a work by its number, and the limit that its objects have outgrown.
type overfullWork struct {
	number int
	limit  limit
}
