package translation_test

import (
	"fmt"
	"time"

	"github.com/google/go-cmp/cmp"
	eventsv1 "k8s.io/api/events/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/pkg/api/midonet"
	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/backend/backendtest"
)

// inventory are the records of all pages.
func (w *testCluster) inventory() (records []waybill.BackendRecord) {
	w.Helper()
	list := &waybill.BackendInventoryList{}
	w.must(w.List(w.Context(), list, client.InNamespace(system)))
	for _, p := range list.Items {
		records = append(records, p.Spec.Resources...)
	}
	return records
}

// settled waits until the backend has what is wanted and nothing else, the inventory the same, and no
// Translation is left that goes away.
func (w *testCluster) settled(reason string, wanted []midonet.Translation) {
	w.Helper()
	w.settledBut(reason, wanted, 0)
}

// settledBut is settled, with some more Translations that cannot be pushed.
func (w *testCluster) settledBut(reason string, wanted []midonet.Translation, others int) {
	w.Helper()
	want := map[string]any{}
	for _, t := range wanted {
		for _, r := range t.Resources {
			name, body := backendtest.Named(w, r.Kind, r.Parent, r.Body)
			want[name] = body
		}
	}
	w.eventually(reason, func() string {
		got, _ := w.backend.State()
		if diff := cmp.Diff(want, got); diff != "" {
			return "the backend (-want +got):\n" + diff
		}
		if n := len(w.inventory()); n != len(want) {
			return fmt.Sprintf("the inventory has %d records, want %d", n, len(want))
		}
		if n := len(w.all()); n != len(wanted)+others {
			return fmt.Sprintf("%d Translations are there, want %d", n, len(wanted)+others)
		}
		return ""
	})
}

// eventually waits until nothing is wrong.
func (w *testCluster) eventually(reason string, wrong func() string) {
	w.Helper()
	text := wrong()
	for deadline := time.Now().Add(30 * time.Second); text != "" && time.Now().Before(deadline); text = wrong() {
		time.Sleep(20 * time.Millisecond)
	}
	if text != "" {
		w.Fatalf("%s: %s\nlog:\n%s", reason, text, w.log)
	}
}

// told are the reasons of the events about a Translation.
func (w *testCluster) told(name string) map[string]string {
	w.Helper()
	list := &eventsv1.EventList{}
	w.must(w.List(w.Context(), list))
	out := map[string]string{}
	for _, e := range list.Items {
		if e.Regarding.Name == name && (e.Regarding.Namespace == w.namespace) {
			out[e.Reason] = e.Type + " " + e.Note
		}
	}
	return out
}

// awaitEvent waits for an event, and returns its type and note.
func (w *testCluster) awaitEvent(name, reason string) (text string) {
	w.Helper()
	w.eventually("an event is sent", func() string {
		if text = w.told(name)[reason]; text == "" {
			return fmt.Sprintf("no %s about %s, only %v", reason, name, w.told(name))
		}
		return ""
	})
	return text
}
