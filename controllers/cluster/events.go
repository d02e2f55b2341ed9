package cluster

import (
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/recorder"
)

// events tells people what happened to an object. A nil *events keeps it to itself.
type events struct{ to recorder.EventRecorder }

const (
	mostNote    = 1024  // bytes that an event's note may have
	mostMessage = 32768 // bytes that a condition's message may have
)

// An event that is like one before in all but its note is counted with that one, under the first note. So
// what is not the same has a reason, an action or a related object of its own.

// say tells of something that went as it should.
func (e *events) say(about runtime.Object, reason, action, note string) {
	e.record(about, nil, "Normal", reason, action, note)
}

// sayOf is say, of something that was done with another object.
func (e *events) sayOf(about, related runtime.Object, reason, action, note string) {
	e.record(about, related, "Normal", reason, action, note)
}

// warn tells of something that somebody should look at.
func (e *events) warn(about runtime.Object, reason, action, note string) {
	e.record(about, nil, "Warning", reason, action, note)
}

func (e *events) record(about, related runtime.Object, kind, reason, action, note string) {
	if e != nil {
		e.to.Eventf(about, related, kind, reason, action, "%s", bounded(note, mostNote))
	}
}

// bounded is text, cut to a number of bytes where it is longer.
func bounded(text string, most int) string {
	const more = "..."
	if len(text) <= most {
		return text
	}
	end := most - len(more)
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + more
}
