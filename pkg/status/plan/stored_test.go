package plan

import (
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/status/engine"
)

// combinedState is a State with one CombinedStatus that a Binding requests.
type combinedState struct {
	testing.TB
	*State
	name types.NamespacedName
}

func newCombinedState(t testing.TB) *combinedState {
	s := &combinedState{t, newKnown(t), types.NamespacedName{Namespace: "shop", Name: "u.p"}}
	if err := s.SetBinding(types.NamespacedName{Name: "p"}, bound("p", []any{m{"clusterId": "e1"}})); err != nil {
		t.Fatal(err)
	}
	s.collect("1")
	return s
}

// collect has the desired CombinedStatus list a value.
func (s *combinedState) collect(def string) {
	s.Helper()
	s.Engine.PutCollector(&control.StatusCollector{ObjectMeta: metav1.ObjectMeta{Name: "none"},
		Spec: control.StatusCollectorSpec{Select: []control.NamedExpression{{Name: "x", Def: def}}}})
	if _, err := s.Engine.Refresh(s.Context()); err != nil {
		s.Fatal(err)
	}
}

func (s *combinedState) plan() *Write {
	s.Helper()
	w, err := s.Plan(Request{TargetCombinedStatus, engine.ObjectRef{Namespace: s.name.Namespace, Name: s.name.Name}}, time.Now())
	if err != nil {
		s.Fatal(err)
	}
	return w
}

func (s *combinedState) verb() Verb {
	s.Helper()
	if w := s.plan(); w != nil {
		return w.Verb
	}
	return nothing
}

// set puts an object as an event brings it.
func (s *combinedState) set(obj *unstructured.Unstructured) {
	s.Helper()
	if err := s.SetCombined(s.name, obj); err != nil {
		s.Fatal(err)
	}
}

// whole is the desired object in a version.
func (s *combinedState) whole(version string) *unstructured.Unstructured {
	s.Helper()
	d, _ := s.Engine.Desired(s.name)
	obj, err := toUnstructured(d.Object)
	if err != nil {
		s.Fatal(err)
	}
	obj.SetUID("c")
	obj.SetResourceVersion(version)
	return obj
}

// metadata is the desired object in a version without its results, as a watch of metadata has it.
func (s *combinedState) metadata(version string) *unstructured.Unstructured {
	s.Helper()
	obj := metadataOf(s.whole(version))
	obj.SetAPIVersion("meta.k8s.io/v1")
	obj.SetKind("PartialObjectMetadata")
	return obj
}

// TestWatchedMetadata has events come before and after answers, of our writes and those of others. What only metadata is known
// of is read before it is written or left as it is.
func TestWatchedMetadata(t *testing.T) {
	for name, tc := range map[string]struct {
		reason string
		do     func(s *combinedState, w *Write)
		verb   Verb
	}{
		"answer":        {"the answer is known", func(s *combinedState, w *Write) { w.Done(s.metadata("8")) }, nothing},
		"own event":     {"the event of the write comes after it", func(s *combinedState, w *Write) { w.Done(s.metadata("8")); s.set(s.metadata("8")) }, nothing},
		"early event":   {"it comes before the answer", func(s *combinedState, w *Write) { s.set(s.metadata("8")); w.Done(s.metadata("8")) }, nothing},
		"before answer": {"its event comes, and no answer", func(s *combinedState, _ *Write) { s.set(s.metadata("8")) }, Read},
		"edit":          {"another client changes the object", func(s *combinedState, w *Write) { w.Done(s.metadata("8")); s.set(s.metadata("9")) }, Read},
		"early edit":    {"and its event comes before our answer", func(s *combinedState, w *Write) { s.set(s.metadata("9")); w.Done(s.metadata("8")) }, Read},
		"recreated": {"another object has the same version", func(s *combinedState, w *Write) {
			w.Done(s.metadata("8"))
			o := s.metadata("8")
			o.SetUID("d")
			s.set(o)
		}, Read},
		"deleted":        {"another client deletes the object", func(s *combinedState, w *Write) { w.Done(s.metadata("8")); s.set(nil) }, Create},
		"early deletion": {"and the event comes before the answer", func(s *combinedState, w *Write) { s.set(nil); w.Done(s.metadata("8")) }, Create},
		"conflict":       {"the write is refused", func(_ *combinedState, w *Write) { w.Outdated() }, Read},
		"late conflict":  {"and the object is listed before", func(s *combinedState, w *Write) { s.set(s.whole("8")); w.Outdated() }, nothing},
		"relisted":       {"a list has the same version", func(s *combinedState, w *Write) { w.Done(s.metadata("8")); s.set(s.whole("8")) }, nothing},
		"listed edit": {"a list has the edited object", func(s *combinedState, w *Write) {
			w.Done(s.metadata("8"))
			o := s.whole("9")
			delete(o.Object, "results")
			s.set(o)
		}, Update},
		"no matter": {"a list has the object with another annotation", func(s *combinedState, w *Write) {
			w.Done(s.metadata("8"))
			o := s.whole("9")
			o.SetAnnotations(map[string]string{"a": "b"})
			s.set(o)
		}, nothing},
		"read again": {"what an event showed is listed", func(s *combinedState, _ *Write) { s.set(s.metadata("9")); s.set(s.whole("9")) }, nothing},
	} {
		t.Run(name, func(t *testing.T) {
			s := newCombinedState(t)
			s.set(s.whole("7"))
			if got := s.verb(); got != nothing {
				t.Fatalf("it is as it should be: %s", got)
			}
			s.collect("2")
			w := s.plan()
			if w == nil || operationsOf(t, w.Patch) != "replace /results/0/rows/0" {
				t.Fatalf("want one row to be written, got %+v", w)
			}
			tc.do(s, w)
			if got := s.verb(); got != tc.verb {
				t.Errorf("%s: want %q, got %q", tc.reason, tc.verb, got)
			}
		})
	}
}

// TestRead has an object read that another client changed.
func TestRead(t *testing.T) {
	edited := func(s *combinedState, version string) *unstructured.Unstructured {
		obj := s.whole(version)
		obj.Object["results"] = []any{}
		return obj
	}
	for name, tc := range map[string]struct {
		reason string
		do     func(s *combinedState, w *Write)
		verb   Verb
	}{
		"edited":       {"it has other results", func(s *combinedState, w *Write) { w.Done(edited(s, "9")) }, Update},
		"touched":      {"its results are right", func(s *combinedState, w *Write) { w.Done(s.whole("9")) }, nothing},
		"gone":         {"it does not exist", func(_ *combinedState, w *Write) { w.Done(nil) }, Create},
		"edited again": {"an event shows a later edit", func(s *combinedState, w *Write) { s.set(s.metadata("10")); w.Done(s.whole("9")) }, Read},
		"as shown":     {"an event shows the edit that was read", func(s *combinedState, w *Write) { s.set(s.metadata("10")); w.Done(edited(s, "10")) }, Update},
		"created":      {"it does not exist, and an event shows it", func(s *combinedState, w *Write) { s.set(s.metadata("10")); w.Done(nil) }, Read},
		"deleted":      {"an event shows that it is deleted", func(s *combinedState, w *Write) { s.set(nil); w.Done(s.whole("9")) }, Create},
	} {
		t.Run(name, func(t *testing.T) {
			s := newCombinedState(t)
			s.set(s.metadata("9"))
			w := s.plan()
			if w == nil || w.Verb != Read {
				t.Fatalf("want it to be read, got %+v", w)
			}
			tc.do(s, w)
			if got := s.verb(); got != tc.verb {
				t.Errorf("%s: want %q, got %q", tc.reason, tc.verb, got)
			}
		})
	}
}
