package mapcontroller_test

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/go-cmp/cmp"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// probes are the specs of all Probes of the namespace, by name; nil is a Probe that is being deleted.
func (w *environment) probes() map[string]any {
	w.Helper()
	out := map[string]any{}
	for _, o := range w.list(group+"/v1", "Probe", w.namespace) {
		if out[o.GetName()] = o.Object["spec"]; o.GetDeletionTimestamp() != nil {
			out[o.GetName()] = nil
		}
	}
	return out
}

// awaitProbes waits until the Probes of the namespace are these.
func (w *environment) awaitProbes(reason string, want map[string]any) {
	w.Helper()
	w.eventually(reason, func() string { return cmp.Diff(want, w.probes()) })
}

// eventually waits until wrong returns "".
func (w *environment) eventually(reason string, wrong func() string) {
	w.Helper()
	text := wrong()
	for deadline := time.Now().Add(30 * time.Second); text != "" && time.Now().Before(deadline); text = wrong() {
		time.Sleep(20 * time.Millisecond)
	}
	if text != "" {
		w.Fatalf("%s: %s\nlog:\n%s", reason, text, w.log)
	}
}

// at returns a field of an object as text.
func (w *environment) at(apiVersion, kind, name string, path ...string) string {
	w.Helper()
	o := empty(apiVersion, kind, w.home(kind), name)
	if err := w.Get(context.Background(), client.ObjectKeyFromObject(o), o); client.IgnoreNotFound(err) != nil {
		w.Fatal(err)
	} else if err != nil {
		return "gone"
	}
	v, _, err := unstructured.NestedFieldNoCopy(o.Object, path...)
	w.must(err)
	return fmt.Sprint(v)
}

// ready returns a condition of a MapController: status, reason and message.
func (w *environment) ready(name, kind string) string {
	w.Helper()
	o := empty("waybill.dev/v1alpha1", "MapController", "", name)
	w.must(w.Get(context.Background(), client.ObjectKeyFromObject(o), o))
	list, _, _ := unstructured.NestedSlice(o.Object, "status", "conditions") // none, or a list
	for _, c := range list {
		if m, is := c.(map[string]any); is && m["type"] == kind {
			return fmt.Sprint(m["status"], " ", m["reason"], ": ", m["message"])
		}
	}
	return ""
}

// awaitReady waits until the condition Ready of a MapController has this prefix.
func (w *environment) awaitReady(name, begins string) (text string) {
	w.Helper()
	w.eventually(name+" reports its condition", func() string {
		if text = w.ready(name, "Ready"); !strings.HasPrefix(text, begins) {
			return fmt.Sprintf("Ready is %q, want %q...", text, begins)
		}
		return ""
	})
	return text
}

// warnings returns the notes of the warning events about an object of the namespace.
func (w *environment) warnings(name string) map[string]bool {
	w.Helper()
	list := &eventsv1.EventList{}
	w.must(w.List(context.Background(), list))
	out := map[string]bool{}
	for _, e := range list.Items {
		if e.Regarding.Name == name && e.Regarding.Namespace == w.namespace {
			out[e.Type+" "+e.Reason+" "+e.Note] = true
		}
	}
	return out
}

// awaitEvent waits for a warning about an object with a text in it.
func (w *environment) awaitEvent(name, text string) (note string) {
	w.Helper()
	w.eventually("an event is sent", func() string {
		for note = range w.warnings(name) {
			if strings.Contains(note, text) {
				return ""
			}
		}
		return fmt.Sprintf("no event about %s with %q, only %v", name, text, w.warnings(name))
	})
	return note
}
