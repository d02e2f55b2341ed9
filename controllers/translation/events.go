package translation

import (
	"unicode/utf8"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/recorder"
)

// Reasons of events, which are those of midonet-kubernetes.
const (
	updatePushed   = "TranslationUpdatePushed"
	updateError    = "TranslationUpdateError"
	deletionPushed = "TranslationDeletionPushed"
	deletionError  = "TranslationDeletionError"
	finalizerError = "TranslationDeletionFinalizerError"
)

// events tells people what became of a Translation.
type events struct{ to recorder.EventRecorder }

// mostNote is how many bytes a note may have.
const mostNote = 1000

func (e events) say(about runtime.Object, reason, action, note string) {
	e.to.Eventf(about, nil, corev1.EventTypeNormal, reason, action, "%s", bounded(note))
}

func (e events) warn(about runtime.Object, reason, action, note string) {
	e.to.Eventf(about, nil, corev1.EventTypeWarning, reason, action, "%s", bounded(note))
}

// bounded is text, cut where it is too long.
func bounded(text string) string {
	const more = "..."
	if len(text) <= mostNote {
		return text
	}
	end := mostNote - len(more)
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + more
}
