package live

import (
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/events"
)

// Recorder records events. The API server counts an event together with an earlier one that differs only in its note, and
// keeps the first note. So different events differ in reason, action or related object.
type Recorder struct{ Events events.EventRecorder }

const (
	maxNote = 1024 // bytes of an event's note
	// MaxMessage is how many bytes the message of a condition may have.
	MaxMessage = 32768
)

// Normal records what a controller did with an object, and with a related one (nil for none).
func (r Recorder) Normal(about, related runtime.Object, reason, action, note string) {
	r.Events.Eventf(about, related, "Normal", reason, action, "%s", TruncateTo(note, maxNote))
}

// Warning records a problem that a user should check.
func (r Recorder) Warning(about runtime.Object, reason, action, note string) {
	r.Events.Eventf(about, nil, "Warning", reason, action, "%s", TruncateTo(note, maxNote))
}

// SetCondition sets one condition. The time of its last transition has seconds, as the API server stores it, so that the same
// report twice is the same status.
func SetCondition(conditions *[]metav1.Condition, c metav1.Condition, now time.Time) {
	c.Message = TruncateTo(c.Message, MaxMessage)
	c.LastTransitionTime = metav1.NewTime(now.Truncate(time.Second))
	meta.SetStatusCondition(conditions, c)
}
