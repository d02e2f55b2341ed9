package mapcontroller_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// hook is a webhook with the result of the expression of copies.
type hook struct {
	*httptest.Server
	mu    sync.Mutex
	asked map[string][]time.Time // by the name of the input
	fault func(input string, header http.Header) (status int, retryAfter string)
}

type hookRequest struct {
	Parent, Input struct {
		Metadata struct{ Name string }
		Spec     struct{ Interval json.Number }
		Data     map[string]string
	}
}

func newHook(t testing.TB) *hook {
	h := &hook{asked: map[string][]time.Time{}}
	h.Server = httptest.NewServer(h)
	t.Cleanup(h.Close)
	return h
}

func (h *hook) ServeHTTP(out http.ResponseWriter, in *http.Request) {
	var r hookRequest
	d := json.NewDecoder(in.Body)
	if err := d.Decode(&r); err != nil || in.Method != http.MethodPost {
		http.Error(out, "bad", http.StatusBadRequest)
		return
	}
	name := r.Input.Metadata.Name
	h.mu.Lock()
	h.asked[name] = append(h.asked[name], time.Now())
	fault := h.fault
	h.mu.Unlock()
	if fault != nil {
		if status, after := fault(name, in.Header); status != 0 {
			out.Header().Set("Retry-After", after)
			http.Error(out, "hush-4711", status)
			return
		}
	}
	outputs := []any{}
	for k, v := range r.Input.Data {
		outputs = append(outputs, map[string]any{"apiVersion": group + "/v1", "kind": "Probe",
			"metadata": map[string]any{"name": r.Parent.Metadata.Name + "-" + name + "-" + k},
			"spec":     map[string]any{"value": v, "interval": r.Parent.Spec.Interval, "big": 9007199254740993}})
	}
	out.Header().Set("ETag", fmt.Sprintf("%q", name+fmt.Sprint(r.Input.Data)))
	_ = json.NewEncoder(out).Encode(map[string]any{"outputs": outputs})
}

// failWith makes the webhook answer with a status.
func (h *hook) failWith(f func(input string, header http.Header) (int, string)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.fault = f
}

func (h *hook) requestTimes(input string) []time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.asked[input]
}

// byWebhook is copies with a webhook in place of the expression.
func byWebhook(h *hook, more string) string {
	return copies[:strings.Index(copies, "    map:")] + "    map: {webhook: {url: '" + h.URL + "/map?hush-0815'" + more + "}}\n"
}
