package midonet

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	api "github.com/waybill-dev/waybill/pkg/api/midonet"
)

// Verdict is the result of a conversion.
type Verdict string

const (
	// Made says that the object has Translations.
	Made Verdict = "made"
	// Empty says that the object has no Translations. Existing ones are deleted.
	Empty Verdict = "empty"
	// Retry says that something else is missing. Existing Translations stay.
	Retry Verdict = "retry"
	// Failed says that the object is faulty until a user changes it. Existing Translations stay.
	Failed Verdict = "failed"
)

// Outcome is the result of a conversion with its details.
type Outcome struct {
	Verdict Verdict
	// Translations are those of a Made object, the main one first. There is at least one; no two have the same key, and each
	// has resources.
	Translations []Translation
	// Reason is why an object is Empty or to be retried, in one line.
	Reason string
	// Missing says that an object is Empty only because the object that Reference names does not exist. A caller without all
	// objects cannot distinguish that from one that it does not have.
	Missing bool
	// Errors are the faults of a Failed object, each at its path.
	Errors field.ErrorList
	// Notes are about parts of a Made object that are ignored.
	Notes []Note
}

// Note is a remark about a part of an object.
type Note struct {
	Path *field.Path
	Text string
}

// Translation has the resources of an object, or of a part of it.
type Translation struct {
	Key Key
	// Namespace and Name are those of the Translation object.
	Namespace, Name string
	// Resources are in the order of their creation.
	Resources []api.Resource
}

func empty(format string, args ...any) Outcome {
	return Outcome{Verdict: Empty, Reason: fmt.Sprintf(format, args...)}
}

func retry(format string, args ...any) Outcome {
	return Outcome{Verdict: Retry, Reason: fmt.Sprintf(format, args...)}
}

func failed(errs ...*field.Error) Outcome { return Outcome{Verdict: Failed, Errors: errs} }

// list collects the Translations of one owner.
type list struct {
	version, namespace string
	seen               map[Key]struct{}
	out                []Translation
	notes              []Note
}

func (c *Converter) list(namespace string) *list {
	return &list{version: c.ids.version, namespace: namespace, seen: map[Key]struct{}{}}
}

// has reports whether there is a Translation for a key. What occurs twice, such as an address in two subsets of Endpoints, is
// one: the key of a part has every value that its resources depend on.
func (l *list) has(key Key) bool {
	_, seen := l.seen[key]
	return seen
}

// add adds a Translation unless there is one for its key.
func (l *list) add(key Key, resources ...api.Resource) {
	if l.has(key) || len(resources) == 0 {
		return
	}
	l.seen[key] = struct{}{}
	l.out = append(l.out, Translation{Key: key, Namespace: l.namespace, Name: key.TranslationName(l.version), Resources: resources})
}

func (l *list) note(at *field.Path, format string, args ...any) {
	l.notes = append(l.notes, Note{Path: at, Text: fmt.Sprintf(format, args...)})
}

// outcome is Made with the added Translations, or Empty for a reason.
func (l *list) outcome(nothing string) Outcome {
	if len(l.out) == 0 {
		return empty("%s", nothing)
	}
	return Outcome{Verdict: Made, Translations: l.out, Notes: l.notes}
}
