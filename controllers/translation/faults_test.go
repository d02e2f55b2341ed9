package translation_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/controllers/translation"
	"github.com/waybill-dev/waybill/pkg/api/midonet"
	"github.com/waybill-dev/waybill/pkg/backend/backendtest"
)

// always answers every request to a path in one way, and counts them.
func always(path string, f backendtest.Fault, count *atomic.Int64) func(int, *http.Request) backendtest.Fault {
	return func(_ int, r *http.Request) backendtest.Fault {
		if !strings.HasSuffix(r.URL.Path, path) {
			return backendtest.Fault{}
		}
		count.Add(1)
		return f
	}
}

func TestPermanentFailureIsRetriedAfterAChange(t *testing.T) {
	w := newTestCluster(t)
	now := fixture{version: 4, nodes: [4]int{1}, services: [6]int{1}}
	all := now.translations(w.namespace)
	unknown := named(w.namespace, "unknown", resource("Unicorn", "", "id", "a"))
	var count atomic.Int64
	w.backend.Fails(always("/bridges", backendtest.Fault{Status: http.StatusForbidden, Message: "not you"}, &count))
	w.become(append(all[:len(all):len(all)], unknown))
	w.start()
	for name, want := range map[string]string{
		"node.4.0": `Warning create Bridge ` + now.id("bridge0") + `: permanent: 403 Forbidden: not you`,
		"unknown":  `Warning resources[0]: Unicorn: kind "Unicorn" is not in table "midonet"`,
	} {
		if diff := cmp.Diff(want, w.awaitEvent(name, "TranslationUpdateError")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	w.awaitEvent("service.4.0", "TranslationUpdatePushed")
	for i := range 5 { // others change, and are pushed
		now.services[0] = 2 + i
		for _, tr := range now.translations(w.namespace) {
			if tr.Name == "service.4.0" {
				w.put(tr)
			}
		}
		w.eventually("others are pushed", func() string {
			if things, _ := w.backend.State(); things["Rule/"+now.id(fmt.Sprint("rule", 0, 2+i))+" in "+now.id("service0")] == nil {
				return "the rule is not there"
			}
			return ""
		})
	}
	if got := count.Load(); got != 1 {
		t.Errorf("what was refused was tried %d times, want 1", got)
	}
	w.backend.Fails(nil)
	now.nodes[0] = 2
	unknown.Resources = nil
	all = append(now.translations(w.namespace), unknown)
	w.become(all)
	w.settled("a change has it tried again", all)
}

// TestMoveToATranslationThatIsRefused moves a chain into a Translation whose router the backend refuses: the chain stays while
// that Translation waits, though it is still recorded as that of the other.
func TestMoveToATranslationThatIsRefused(t *testing.T) {
	w := newTestCluster(t)
	chain, router := resource("Chain", "", "id", "c"), resource("Router", "", "id", "r")
	all := []midonet.Translation{named(w.namespace, "from", chain), named(w.namespace, "other", resource("Chain", "", "id", "o"))}
	w.become(all)
	stop := w.start()
	w.settled("pushed", all)
	stop()
	var count, deleted atomic.Int64
	refuse := always("/routers", backendtest.Fault{Status: http.StatusForbidden, Message: "not you"}, &count)
	w.backend.Fails(func(n int, r *http.Request) backendtest.Fault {
		if r.Method == http.MethodDelete && strings.HasSuffix(r.URL.Path, "/chains/c") {
			deleted.Add(1)
		}
		return refuse(n, r)
	})
	w.become([]midonet.Translation{named(w.namespace, "from"), named(w.namespace, "to", router, chain), all[1]})
	w.start()
	w.awaitEvent("to", "TranslationUpdateError")
	for i := range 3 { // others change, and are pushed
		w.put(named(w.namespace, "other", resource("Chain", "", "id", fmt.Sprint("o", i))))
		w.has("others are pushed", fmt.Sprintf("Chain/o%d in ", i))
		w.has("what moved stays", "Chain/c in ")
	}
	if deleted.Load() > 0 {
		t.Error("the chain that moved was deleted")
	}
	w.backend.Fails(nil)
	all = []midonet.Translation{named(w.namespace, "from"), named(w.namespace, "to", chain), all[1]}
	all[2].Resources = []midonet.Resource{resource("Chain", "", "id", "o2")}
	w.become(all)
	w.settled("the router is no longer requested", all)
}

func TestRefusedDeletionKeepsTheFinalizer(t *testing.T) {
	w := newTestCluster(t)
	all := fixture{version: 4, nodes: [4]int{1}}.translations(w.namespace)
	w.become(all)
	w.start(func(o *translation.Options) { o.PermanentRetry = 200 * time.Millisecond })
	w.settled("pushed", all)
	w.backend.Fails(func(_ int, r *http.Request) (f backendtest.Fault) {
		if r.Method == http.MethodDelete {
			f.Status = http.StatusForbidden
		}
		return f
	})
	w.become(all[:1])
	if got := w.awaitEvent("node.4.0", "TranslationDeletionError"); !strings.Contains(got, "403") {
		t.Errorf("the event: %s", got)
	}
	if n := len(w.all()); n != len(all) {
		t.Fatalf("%d Translations are there, want %d: something is left in the backend", n, len(all))
	}
	w.backend.Fails(nil)
	w.settled("tried again after a time although nothing has changed", all[:1])
}

func TestCredentials(t *testing.T) {
	const secret = "hush-4812-not-this"
	w := newTestCluster(t)
	now := fixture{version: 4}
	all := []midonet.Translation{named(w.namespace, "only", resource("Chain", "", "id", now.id("a")))}
	w.become(all)
	w.password(secret)
	w.start(func(o *translation.Options) { o.FirstRetry, o.LastRetry = time.Hour, time.Hour })
	if got := w.awaitEvent("only", "TranslationUpdateError"); !strings.Contains(got, "auth") || strings.Contains(got, secret) {
		t.Errorf("the event: %s", got)
	}
	w.password(backendtest.Password)
	w.settled("new credentials are taken at once", all)
	if log := w.log.String(); strings.Contains(log, secret) || strings.Contains(log, backendtest.Password) {
		t.Errorf("the log has a password:\n%s", log)
	}
}

func TestRetryAfter(t *testing.T) {
	w := newTestCluster(t)
	all := fixture{version: 4, services: [6]int{1}}.translations(w.namespace)
	var count, first, late atomic.Int64
	w.backend.Fails(func(int, *http.Request) (f backendtest.Fault) {
		now := time.Now().UnixMilli()
		if count.Add(1) == 1 {
			first.Store(now)
			return backendtest.Fault{Status: http.StatusTooManyRequests, After: "2"}
		}
		late.CompareAndSwap(0, now-first.Load())
		return f
	})
	w.become(all[:1])
	w.start()
	w.eventually("it is asked", func() string {
		if count.Load() == 0 {
			return "not yet"
		}
		return ""
	})
	w.become(all) // no reason to ask earlier
	w.settled("in the end", all)
	if late.Load() < 2000 {
		t.Errorf("it was asked again after %dms, want 2s", late.Load())
	}
}

func TestOtherNamespacesStay(t *testing.T) {
	w := newTestCluster(t)
	all := fixture{version: 4, services: [6]int{1, 1}}.translations(w.namespace)
	w.become(all)
	stop := w.start()
	w.settled("all namespaces", all)
	stop()
	w.start(func(o *translation.Options) { o.Namespaces = []string{w.namespace} })
	w.become(all[:2])
	w.settled("of the others nothing is touched", all[:2])
}
