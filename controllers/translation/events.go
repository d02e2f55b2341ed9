package translation

import "unicode/utf8"

// Reasons of events, which are those of midonet-kubernetes.
const (
	updatePushed   = "TranslationUpdatePushed"
	updateError    = "TranslationUpdateError"
	deletionPushed = "TranslationDeletionPushed"
	deletionError  = "TranslationDeletionError"
	finalizerError = "TranslationDeletionFinalizerError"
)

// maxNote is how many bytes a note has at most; the API server takes little more.
const maxNote = 1000

// event sends an event about a Translation, of type Normal or Warning.
func (r *reconciler) event(o *observed, eventType, reason, action, note string) {
	r.recorder.Eventf(o.object, nil, eventType, reason, action, "%s", truncate(note))
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
