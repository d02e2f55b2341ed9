package hooks_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/mapcontroller"
	"github.com/waybill-dev/waybill/pkg/mapcontroller/hooks"
)

func TestBrokenAnswers(t *testing.T) {
	const tooLong = "error: URL: its answer is longer than 67108864 bytes"
	for name, tc := range map[string]struct {
		reason string
		h      http.HandlerFunc
		want   string
	}{
		"announced": {"no body of that length is read", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", strconv.Itoa(mapcontroller.MaxAnswerBytes+1))
			w.WriteHeader(200)
		}, tooLong},
		"endless": {"the body is read up to the limit", func(w http.ResponseWriter, _ *http.Request) {
			for chunk := make([]byte, 1<<20); ; {
				if _, err := w.Write(chunk); err != nil {
					return
				}
			}
		}, tooLong},
		"cut off": {"half an answer is none", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			fmt.Fprint(w, "{}")
		}, "error: URL: the connection ended before the answer did"},
		"never": {"the server gives up", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "error: URL: the connection ended before the answer did"},
		"slow to begin": {"time is bounded", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
			"error: URL: it did not send a complete answer within 200ms"},
		"slow to end": {"to the last byte", func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, "{")
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		}, "error: URL: it did not send a complete answer within 200ms"},
		"no HTTP": {"its text is not repeated", func(w http.ResponseWriter, _ *http.Request) {
			raw(w, "secret\r\n\r\n")
		}, "error: URL: it, or a proxy on the way, did not answer in HTTP"},
		"long header": {"headers are bounded, too", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("ETag", strings.Repeat("x", 1<<20))
		}, "error: URL: it, or a proxy on the way, did not answer in HTTP"},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body) // else the server does not see the client leave
				tc.h(w, r)
			})
			timeout := ""
			if strings.HasPrefix(name, "slow") {
				timeout = ", timeout: 200ms"
			}
			if diff := cmp.Diff(tc.want, strings.ReplaceAll(ask(t, "url: '"+s.URL+"'"+timeout, "", hooks.Options{}), s.URL, "URL")); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// raw answers with exactly this text.
func raw(w http.ResponseWriter, text string) {
	c, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		panic(err)
	}
	_, _ = io.WriteString(c, text)
	_ = c.Close()
}

func TestInvalidTimeouts(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "{}") })
	for _, timeout := range []string{"0s", "-1s"} {
		if got := ask(t, "url: '"+s.URL+"', timeout: "+timeout, "", hooks.Options{}); got != "{}" {
			t.Errorf("timeout %s is the default: %s", timeout, got)
		}
	}
}

func TestCancelledRequest(t *testing.T) {
	asked := make(chan bool)
	s := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		asked <- true
		<-r.Context().Done()
	})
	h, hook, err := webhook(t, "url: '"+s.URL+"', timeout: 1h", "", hooks.Options{})
	check(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-asked
		cancel()
	}()
	if _, err := h.Webhook(ctx, hook, request("a")); !errors.Is(err, context.Canceled) {
		t.Errorf("want the context's error, got %v", err)
	}
}
