package midonet

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	api "github.com/waybill-dev/waybill/pkg/api/midonet"
)

// Verdict says what became of an object.
type Verdict string

const (
	// Made says that the object has Translations.
	Made Verdict = "made"
	// Empty says that the object is to have none. What it had goes.
	Empty Verdict = "empty"
	// Retry says that something else is missing yet. What the object had stays.
	Retry Verdict = "retry"
	// Failed says that the object is faulty until its author changes it. What it had stays.
	Failed Verdict = "failed"
)

// Outcome is what became of an object.
type Outcome struct {
	Verdict Verdict
	// Translations are those of a Made object, the main one first; there is at least one, no key
	// comes twice, and each has resources.
	Translations []Translation
	// Reason is why an object is Empty or to be Retried, in one line.
	Reason string
	// Missing says that an object is Empty only because there is no object that Reference names. Who
	// does not see all objects there are cannot tell that from one that is not seen.
	Missing bool
	// Errors are what makes an object Failed, each at its path.
	Errors field.ErrorList
	// Notes say what of a Made object was passed over.
	Notes []Note
}

// Note is a remark about a part of an object.
type Note struct {
	Path *field.Path
	Text string
}

// Translation is what an object, or a part of it, is to the backend.
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

// has reports whether there is a Translation for a key. What is said twice, as an address in two subsets
// of Endpoints, is one: the key of a part holds every value that its resources are made of.
func (l *list) has(key Key) bool {
	_, seen := l.seen[key]
	return seen
}

// add adds a Translation, unless there is one for its key.
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

// outcome is Made with what was added, or Empty for a reason when that is nothing.
func (l *list) outcome(nothing string) Outcome {
	if len(l.out) == 0 {
		return empty("%s", nothing)
	}
	return Outcome{Verdict: Made, Translations: l.out, Notes: l.notes}
}
