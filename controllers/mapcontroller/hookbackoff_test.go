package mapcontroller_test

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/controllers/mapcontroller"
)

func TestWaitingForWebhooksIsReported(t *testing.T) {
	for name, tc := range map[string]struct{ reason, after string }{
		"Seconds":    {"for as long as they say", "1"},
		"Nothing":    {"a webhook that says nothing is called less and less often", ""},
		"Unreadable": {"an invalid value counts as nothing", "soon"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newEnvironment(t)
			h := newHook(t)
			var busy atomic.Bool
			busy.Store(true)
			h.failWith(func(string, http.Header) (int, string) {
				if busy.Load() {
					return http.StatusTooManyRequests, tc.after
				}
				return 0, ""
			})
			w.put(policy)
			w.put(strings.Replace(policy, "name: p,", "name: q,", 1))
			w.input("a", "x: one")
			w.put(byWebhook(h, ""))
			w.start(func(o *mapcontroller.Options) { o.FirstRetry, o.LastRetry = 200*time.Millisecond, time.Minute })
			got := w.awaitReady("copies", "False Progressing: 2 of the parents wait for webhooks")
			if !strings.Contains(got, "until 2") {
				t.Errorf("%s: the condition does not say until when: %s", tc.reason, got)
			}
			time.Sleep(2 * time.Second)
			if n := len(h.requestTimes("a")); n > 10 { // after 0, 0.2, 0.6, 1.4 seconds, for two parents
				t.Errorf("%s: it was asked %d times", tc.reason, n)
			}
			if got := w.warnings("p"); len(got) > 0 {
				t.Errorf("%s: that is no error, but there are events: %v", tc.reason, got)
			}
			busy.Store(false)
			w.awaitProbes("in the end", map[string]any{"p-a-x": probe("one"), "q-a-x": probe("one")})
			w.awaitReady("copies", "True")
		})
	}
}

// TestSlowHookBlocksNoOther has a webhook that answers when the test ends.
func TestSlowHookBlocksNoOther(t *testing.T) {
	w := newEnvironment(t)
	h := newHook(t)
	answer := make(chan struct{})
	h.failWith(func(string, http.Header) (int, string) { <-answer; return 0, "" })
	t.Cleanup(func() { close(answer) })
	w.put(policy)
	w.input("a", "x: one")
	w.put(strings.Replace(byWebhook(h, ""), "name: copies", "name: slow", 1))
	w.start(func(o *mapcontroller.Options) { o.Workers = 1 })
	w.eventually("it is asked", func() string { return cmp.Diff(1, min(1, len(h.requestTimes("a")))) })
	began := time.Now()
	w.put(copies)
	w.awaitProbes("other MapControllers are reconciled meanwhile", map[string]any{"p-a-x": probe("one")})
	if took := time.Since(began); took > 8*time.Second { // a webhook has 10s
		t.Errorf("that took %v", took)
	}
}

func TestInvalidHooksAreStalled(t *testing.T) {
	w := newEnvironment(t)
	w.put(policy)
	w.start()
	for name, tc := range map[string]struct{ reason, hook, want string }{
		"Linked": {"no such function", "function: {name: nosuch}", `no function "nosuch" is linked in`},
		"Exec":   {"programs are not run", "function: {exec: /bin/true}", "this controller runs no programs"},
		"URL":    {"no address of a webhook", "webhook: {url: 'ftp://example.org'}", "spec.hooks.map.webhook.url"},
	} {
		w.put(copies[:strings.Index(copies, "    map:")] + "    map: {" + tc.hook + "}\n")
		w.eventually(name, func() string {
			if got := w.ready("copies", "Stalled"); !strings.HasPrefix(got, "True ValidationError") || !strings.Contains(got, tc.want) {
				return tc.reason + ": " + got
			}
			return ""
		})
	}
	w.put(copies[:strings.Index(copies, "    map:")] + "    map: {webhook: {url: 'http://127.0.0.1:1', basicAuth: {secretRef: {name: none, namespace: NAMESPACE}}}}\n")
	w.awaitReady("copies", "False HookSettings")
	if got := w.ready("copies", "Stalled"); !strings.HasPrefix(got, "False HookSettings") {
		t.Errorf("a Secret may come, but Stalled is: %s", got)
	}
}
