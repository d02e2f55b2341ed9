package mapcontroller_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestWebhook(t *testing.T) {
	w := newEnvironment(t)
	h := newHook(t)
	w.put(policy)
	w.input("a", "x: one")
	w.input("b", "x: two")
	h.failWith(func(input string, _ http.Header) (int, string) {
		if input == "b" {
			return http.StatusInternalServerError, ""
		}
		return 0, ""
	})
	w.put(byWebhook(h, ""))
	w.start()
	w.awaitProbes("one fails, one does not", map[string]any{"p-a-x": probe("one")})
	note := w.awaitEvent("p", "500")
	w.awaitReady("copies", "False Failing")
	tries := len(h.requestTimes("b"))
	h.failWith(nil)
	w.awaitProbes("in the end", map[string]any{"p-a-x": probe("one"), "p-b-x": probe("two")})
	w.awaitReady("copies", "True")
	if tries > 20 {
		t.Errorf("it was asked %d times in no time", tries)
	}
	for name, text := range map[string]string{"event": note, "log": w.log.String()} {
		if strings.Contains(text, "hush") {
			t.Errorf("the %s tells a secret: %s", name, text)
		}
	}
	if n := len(w.warnings("p")); n != 1 {
		t.Errorf("want one event for one error, got %v", w.warnings("p"))
	}
}

func TestWebhookThatAsksForTime(t *testing.T) {
	w := newEnvironment(t)
	h := newHook(t)
	w.put(policy)
	w.input("a", "x: one")
	w.put(byWebhook(h, ""))
	var busy atomic.Bool
	busy.Store(true)
	h.failWith(func(string, http.Header) (int, string) {
		if busy.CompareAndSwap(true, false) {
			return http.StatusTooManyRequests, "2"
		}
		return 0, ""
	})
	w.start()
	w.eventually("it is asked", func() string { return cmp.Diff(1, min(1, len(h.requestTimes("a")))) })
	for i := range 5 { // reasons for a pass, not for a question
		w.edit(group+"/v1", "Policy", "p", fmt.Sprintf(`{"metadata":{"annotations":{"n":"%d"}}}`, i))
		time.Sleep(50 * time.Millisecond)
	}
	w.awaitProbes("in the end", map[string]any{"p-a-x": probe("one")})
	if times := h.requestTimes("a"); times[1].Sub(times[0]) < 2*time.Second {
		t.Errorf("it was asked again after %v, want 2s", times[1].Sub(times[0]))
	}
	if got := w.warnings("p"); len(got) > 0 {
		t.Errorf("waiting is no error, but there are events: %v", got)
	}
}

func TestWebhookWithETag(t *testing.T) {
	w := newEnvironment(t)
	h := newHook(t)
	w.put(policy)
	w.input("a", "x: one")
	var replayed atomic.Bool
	h.failWith(func(_ string, header http.Header) (int, string) {
		if header.Get("If-None-Match") == `"amap[x:one]"` {
			replayed.Store(true)
			return http.StatusNotModified, ""
		}
		return 0, ""
	})
	w.put(byWebhook(h, ", etag: {enabled: true}"))
	w.start()
	w.awaitProbes("at first", map[string]any{"p-a-x": probe("one")})
	w.remove(group+"/v1", "Probe", "p-a-x")
	w.eventually("it is asked again, and says nothing new", func() string { return cmp.Diff(true, replayed.Load()) })
	w.awaitProbes("which is as good", map[string]any{"p-a-x": probe("one")})
}

func TestResync(t *testing.T) {
	w := newEnvironment(t)
	h := newHook(t)
	w.put(policy)
	w.input("a", "x: one")
	w.put(strings.Replace(byWebhook(h, ""), "  hooks:", "  resyncPeriodSeconds: 0\n  hooks:", 1))
	w.start()
	w.awaitProbes("at first", map[string]any{"p-a-x": probe("one")})
	time.Sleep(300 * time.Millisecond) // what is on its way
	before := len(h.requestTimes("a"))
	w.eventually("it is asked though nothing changes", func() string { return cmp.Diff(before+3, min(before+3, len(h.requestTimes("a")))) })
	if all := h.requestTimes("a")[before:]; all[2].Sub(all[0]) < 1900*time.Millisecond {
		t.Errorf("it was asked %d times within %v", len(all), all[2].Sub(all[0]))
	}
}

func TestIgnoreStatusChanges(t *testing.T) {
	w := newEnvironment(t)
	h := newHook(t)
	w.put(policy)
	w.input("a", "x: one")
	w.put(strings.Replace(byWebhook(h, ""), "resource: policies}", "resource: policies, ignoreStatusChanges: true}", 1))
	w.start()
	w.awaitProbes("at first", map[string]any{"p-a-x": probe("one")})
	w.eventually("reported", func() string {
		return cmp.Diff("map[detached:0 total:1]", w.at(group+"/v1", "Policy", "p", "status", "outputs", "probes"))
	})
	time.Sleep(200 * time.Millisecond) // what is on its way
	before := len(h.requestTimes("a"))
	o := empty(group+"/v1", "Policy", w.namespace, "p")
	_, err := w.Kubectl(t, w.Admin(), "", "patch", "policies."+group, "p", "-n", w.namespace, "--subresource=status", "--type=merge", "-p", `{"status":{"others":1}}`)
	w.must(err)
	time.Sleep(300 * time.Millisecond)
	if n := len(h.requestTimes("a")); n != before {
		t.Errorf("%s: a change of the status alone asked %d times", o.GetName(), n-before)
	}
	w.edit(group+"/v1", "Policy", "p", `{"metadata":{"labels":{"new":"one"}}}`)
	w.eventually("another change does", func() string { return cmp.Diff(true, len(h.requestTimes("a")) > before) })
	if got := w.at(group+"/v1", "Policy", "p", "status", "others"); got != "1" {
		t.Errorf("another's field of the status is %s", got)
	}
}
