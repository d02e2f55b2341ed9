package translation_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/controllers/translation"
	"github.com/waybill-dev/waybill/pkg/api/midonet"
	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/backend/backendtest"
)

// has waits until the backend has a thing of a Translation.
func (w *testCluster) has(reason, thing string) {
	w.Helper()
	w.eventually(reason, func() string {
		if things, _ := w.backend.State(); things[thing] == nil {
			return thing + " is not there"
		}
		return ""
	})
}

// TestFailureDoesNotDelayOthers has all requests about routers fail, in one way or another. Other
// Translations, later ones as well, are pushed at once although pauses are long.
func TestFailureDoesNotDelayOthers(t *testing.T) {
	for name, fault := range map[string]backendtest.Fault{"trouble": {Status: 500}, "busy": {Status: 503, After: "1"}, "no answer": {Cut: true}} {
		t.Run(name, func(t *testing.T) {
			w := newTestCluster(t)
			var count atomic.Int64
			w.backend.Fails(always("/routers", fault, &count))
			all := []midonet.Translation{named(w.namespace, "other", resource("Chain", "", "id", "other"))}
			for i := range 4 {
				all = append(all, named(w.namespace, fmt.Sprint("bad", i), resource("Router", "", "id", fmt.Sprint("bad", i))))
			}
			w.become(all)
			w.start(func(o *translation.Options) { o.FirstRetry, o.LastRetry = 10*time.Second, time.Hour })
			w.has("what is behind it", "Chain/other in ")
			for i := range 3 {
				w.put(named(w.namespace, fmt.Sprint("later", i), resource("Chain", "", "id", fmt.Sprint("later", i))))
				w.has("what comes later", fmt.Sprintf("Chain/later%d in ", i))
			}
			w.eventually("the bad ones are tried", func() string {
				if fault.Cut {
					return "" // they are there
				}
				if w.told("bad3")["TranslationUpdateError"] == "" {
					return "no event"
				}
				return ""
			})
			if got := count.Load(); got > 16 {
				t.Errorf("the bad ones were tried %d times, want four times each at most", got)
			}
		})
	}
}

// TestChangeIsSeenBeforeAllIsPushed has a slow backend and much to push.
func TestChangeIsSeenBeforeAllIsPushed(t *testing.T) {
	w := newTestCluster(t)
	var all []midonet.Translation
	for i := range 100 {
		all = append(all, named(w.namespace, fmt.Sprintf("t%03d", i), resource("Chain", "", "id", fmt.Sprintf("t%03d", i))))
	}
	w.become(all)
	w.backend.Fails(func(int, *http.Request) backendtest.Fault {
		time.Sleep(20 * time.Millisecond)
		return backendtest.Fault{}
	})
	w.start(func(o *translation.Options) { o.Slice = 100 * time.Millisecond })
	w.has("it has begun", "Chain/t000 in ")
	w.put(named(w.namespace, "a", resource("Chain", "", "id", "a")))
	w.has("the new one", "Chain/a in ")
	if things, _ := w.backend.State(); len(things) > 80 {
		t.Errorf("%d things were pushed before it", len(things))
	}
	w.settled("and all in the end", append(all, named(w.namespace, "a", resource("Chain", "", "id", "a"))))
}

// TestKeptTranslationKeepsItsDependencies deletes the Translation of a bridge while a Translation with an
// error has its port: the finalizer stays, and an event says why.
func TestKeptTranslationKeepsItsDependencies(t *testing.T) {
	w := newTestCluster(t)
	br := fixture{}.id("br")
	port := resource("Port", br, "id", "p", "type", "Bridge")
	all := []midonet.Translation{
		named(w.namespace, "bridge", resource("Bridge", "", "id", br)), named(w.namespace, "port", port), named(w.namespace, "third", resource("Chain", "", "id", "c")),
	}
	w.become(all)
	w.start()
	w.settled("pushed", all)
	w.put(named(w.namespace, "port", port, resource("Unicorn", "", "id", "a")))
	w.awaitEvent("port", "TranslationUpdateError")
	w.remove(&all[0])
	if got := w.awaitEvent("bridge", "TranslationDeletionError"); !strings.Contains(got, "Bridge "+br+" is kept for Port p of "+w.namespace+"/port") {
		t.Errorf("the event: %s", got)
	}
	if things, _ := w.backend.State(); len(things) != 3 {
		t.Errorf("the backend has %d things, want 3", len(things))
	}
	w.put(named(w.namespace, "port"))
	w.settledBut("once it is understood", all[2:], 1)
}

// TestInventoryOfAnotherURL expects no request to a URL that the inventory does not know, unless the options
// say that it is the same backend.
func TestInventoryOfAnotherURL(t *testing.T) {
	w := newTestCluster(t)
	all := []midonet.Translation{named(w.namespace, "a", resource("Chain", "", "id", "a"))}
	w.become(all)
	stop := w.start()
	w.settled("pushed", all)
	stop()
	list := &waybill.BackendInventoryList{}
	w.must(w.List(t.Context(), list, client.InNamespace(system)))
	known := ""
	for _, o := range list.Items {
		known += o.Spec.URL
	}
	if known != w.backend.URL+"/api" {
		t.Errorf("the inventory knows %q", known)
	}
	all = append(all, named(w.namespace, "b", resource("Chain", "", "id", "b")))
	w.become(all)
	elsewhere := func(o *translation.Options) { o.URL = strings.Replace(o.URL, "127.0.0.1", "localhost", 1) }
	stop = w.start(elsewhere)
	w.eventually("it is reported", func() string {
		if !strings.Contains(w.log.String(), "if the URL of this one has changed, add --push-url-moved") {
			return "nothing in the log"
		}
		return ""
	})
	if things, _ := w.backend.State(); len(things) != 1 {
		t.Errorf("the backend has %d things, want 1", len(things))
	}
	stop()
	w.start(elsewhere, func(o *translation.Options) { o.URLMoved = true })
	w.settled("unless a user says that it has moved", all)
}
