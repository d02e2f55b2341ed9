package packing

import (
	"fmt"
	"slices"

	"github.com/waybill-dev/waybill/pkg/bundling/manifest"
	"github.com/waybill-dev/waybill/pkg/bundling/manifestconfig"
)

// Limits are those of one work.
type Limits struct {
	Size    int // bytes as KubeStellar counts them
	Encoded int // bytes as an OCM hub counts them
	Objects int
	Sent    int  // bytes as the work is sent
	Always  bool // Sent is also a limit for works without manifestConfigs
	Fill    int  // percentage of Size and Encoded up to which a work takes new objects
}

// A hub also limits what it stores of a work: by default etcd takes requests of 1.5 MiB. Neither
// KubeStellar nor OCM counts the configs of a work, which can be ten times the size of a small object. So a work
// with configs takes at most MaxSent bytes of compact JSON. The rest up to 1.5 MiB is for what the hub adds: managed
// fields, status.
//
// Client-side apply stores the whole work in an annotation, and an API server takes MaxAnnotations bytes of
// annotations: MaxClientSide leaves some for the other annotations.
const (
	MaxSent        = 1_000_000
	MaxClientSide  = 260_000
	MaxAnnotations = 262_144
	AroundWork     = 2_000 // kind, metadata and brackets: names and labels have limits
)

// Weight is what one object adds to a work, in bytes of compact JSON.
type Weight struct {
	Object     int
	Config     int                    // that of its own config; 0 for none
	KindConfig *manifestconfig.Config // that of its kind, which a work holds once; nil for none
}

// Sent is how much the object and its config add to a work.
func (w Weight) Sent() int {
	const commas = 2
	return w.Object + w.Config + commas
}

// Load is what a work holds.
type Load struct {
	size, Encoded, objects int

	Sent        int
	configured  bool // has configs
	kindConfigs []*manifestconfig.Config
	large       bool // holds an object that should be alone
}

// allows reports whether an object of that weight may join r: the work must stay below Size, and not exceed the other
// limits. An empty work takes any object, so that no work is empty; an object that is too large (see TooLarge) is alone.
func (l Limits) allows(r Load, w Weight) bool {
	return r.objects == 0 || l.within(l.with(r, w))
}

// within reports whether a work of several objects is within the limits.
func (l Limits) within(r Load) bool { return l.exceeded(r) == Limit{} }

// Limit is a limit that a work exceeds, with the option that sets it; the zero value is none.
type Limit struct {
	option string
	most   int
}

// whole is the limit that no option sets: the size of a work with its manifestConfigs.
const whole = "work"

// exceeded is the first limit that a work of several objects exceeds.
func (l Limits) exceeded(r Load) Limit {
	switch {
	case r.size >= l.Size:
		return Limit{"maxSize", l.Size}
	case r.Encoded > l.Encoded:
		return Limit{"manifestLimit", l.Encoded}
	case r.objects > l.Objects:
		return Limit{"maxObjects", l.Objects}
	case l.Always && r.Sent+AroundWork > l.Sent:
		return Limit{"applyWith", l.Sent}
	case r.configured && r.Sent+AroundWork > l.Sent:
		return Limit{whole, l.Sent}
	}
	return Limit{}
}

// beside is r with hand-over entries, which only a hub counts.
func (l Load) beside(entries Load) Load {
	l.Encoded, l.Sent = l.Encoded+entries.Encoded, l.Sent+entries.Sent
	l.configured = l.configured || entries.Sent > 0
	return l
}

// hasRoom reports whether a new object may join r and leave room for growth.
func (l Limits) hasRoom(r Load, w Weight) bool {
	if r.objects == 0 || l.Fill >= percent {
		return l.allows(r, w)
	}
	then := l.with(r, w)
	return !then.large && l.within(then) && then.size <= l.filled() && (!then.configured || then.Sent+AroundWork <= l.Sent/percent*l.Fill)
}

const percent = 100

// filled is the size up to which a work takes new objects.
func (l Limits) filled() int {
	size := min(l.Size, l.Encoded)
	if l.Always {
		size = min(size, l.Sent)
	}
	return size / percent * l.Fill
}

// with is r with one more object.
func (l Limits) with(r Load, w Weight) Load {
	r.size, r.Encoded, r.objects = r.size+manifest.CountedSize(w.Object), r.Encoded+manifest.EncodedSize(w.Object), r.objects+1
	r.Sent, r.configured = r.Sent+w.Sent(), r.configured || w.Config > 0
	r.large = r.large || manifest.CountedSize(w.Object) > l.filled()/2 // such an object gets a work of its own
	if w.KindConfig != nil && !slices.Contains(r.kindConfigs, w.KindConfig) {
		r.kindConfigs = append(slices.Clip(r.kindConfigs), w.KindConfig)
		r.Sent, r.configured = r.Sent+w.KindConfig.Length+1, true
	}
	return r
}

// Split returns the number of the work of each object, from 0. It fills works in order: if one does not take the next
// object, it starts another.
func (l Limits) Split(weights []Weight) []int {
	numbers, number, open := make([]int, len(weights)), 0, Load{}
	for i, w := range weights {
		if !l.allows(open, w) {
			number, open = number+1, Load{}
		}
		numbers[i], open = number, l.with(open, w)
	}
	return numbers
}

// TooLarge is the limit that an object exceeds alone: its size in the measure of that limit, the
// limit, and the option that sets it; "" if it fits.
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

// Describe is what the limit is, and what helps besides moving objects.
func (l Limit) Describe() (limit, remedy string) {
	switch l.option {
	case whole:
		return fmt.Sprintf("the %d bytes that a hub stores of one work, manifestConfigs included", l.most),
			"give the work fewer settings for each object: rollout: none, updateStrategy: Update, no createOnly"
	case "applyWith":
		return fmt.Sprintf("the %d bytes that client-side apply takes", l.most), "set applyWith: server-side, and apply works in that way"
	case "maxObjects":
		return fmt.Sprintf("the %d objects of %s", l.most, l.option), "raise maxObjects"
	}
	return fmt.Sprintf("the %d bytes of %s", l.most, l.option),
		"make the objects smaller, or raise " + l.option + " as far as the hub allows"
}

// Overfull is a work, by its number, whose objects have outgrown a limit.
type Overfull struct {
	Number int
	Limit  Limit
}
