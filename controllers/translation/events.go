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

// events sends events about Translations.
type events struct{ recorder recorder.EventRecorder }

// maxNote is how many bytes a note has at most; the API server takes little more.
const maxNote = 1000

func (e events) normal(about runtime.Object, reason, action, note string) {
	e.recorder.Eventf(about, nil, corev1.EventTypeNormal, reason, action, "%s", truncate(note))
}

func (e events) warning(about runtime.Object, reason, action, note string) {
	e.recorder.Eventf(about, nil, corev1.EventTypeWarning, reason, action, "%s", truncate(note))
}

// truncate cuts text at a character.
func truncate(text string) string {
	const more = "..."
	if len(text) <= maxNote {
		return text
	}
	end := maxNote - len(more)
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + more
}
