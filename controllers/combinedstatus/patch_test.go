package combinedstatus_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
)

// traffic records the requests of the controller about single CombinedStatuses, and the answers.
type traffic struct {
	mu     sync.Mutex
	lines  []string
	before func(req *http.Request) // called before each patch
}

func (f *traffic) wrap(next http.RoundTripper) http.RoundTripper {
	return roundTripper(func(req *http.Request) (*http.Response, error) {
		read := strings.Contains(req.URL.RawQuery, "fieldSelector=metadata.name")
		if !strings.Contains(req.URL.Path, "/combinedstatuses") || req.Method == http.MethodGet && !read {
			return next.RoundTrip(req)
		}
		var sent []byte
		if req.Body != nil {
			var err error
			if sent, err = io.ReadAll(req.Body); err != nil {
				return nil, err
			}
			req.Body = io.NopCloser(bytes.NewReader(sent))
		}
		if f.before != nil && req.Method == http.MethodPatch {
			f.before(req)
		}
		answer, err := next.RoundTrip(req)
		if err != nil {
			return nil, err
		}
		got, err := io.ReadAll(answer.Body)
		answer.Body = io.NopCloser(bytes.NewReader(got))
		f.mu.Lock()
		defer f.mu.Unlock()
		f.lines = append(f.lines, fmt.Sprintf("%s %d, edge050 sent: %t, received: %t", req.Method, answer.StatusCode,
			bytes.Contains(sent, []byte("edge050")), bytes.Contains(got, []byte("edge050"))))
		return answer, err
	})
}

// take returns the lines since the last call.
func (f *traffic) take() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	lines := f.lines
	f.lines = nil
	return lines
}

// newListing is a testCluster in which one result lists 100 clusters.
func newListing(t *testing.T) (*testCluster, *traffic) {
	w := newWithDeployments(t)
	f := &traffic{}
	w.wrap = f.wrap
	w.collector("ready", m{"select": []any{m{"name": "c", "def": "inventory.name"}, m{"name": "n", "def": "has(returned.status.readyReplicas) ? returned.status.readyReplicas : 0"}}})
	fleet := []string{"edge1"}
	for i := range 99 {
		fleet = append(fleet, fmt.Sprintf("edge%03d", i))
	}
	w.binding("p", fleet, w.entry(deployments, "web", collected("ready")))
	w.start()
	w.eventually("all clusters are listed", "edge1 1", w.lastRow)
	return w, f
}

// lastRow is that of edge1.
func (w *testCluster) lastRow() string {
	w.Helper()
	all := strings.Split(w.results("web"), ", ")
	if len(all) != 100 {
		return fmt.Sprint(len(all), " rows")
	}
	return all[99]
}

func (w *testCluster) combinedName() string {
	w.Helper()
	return w.list(combinedStatuses)[0].GetName()
}

// TestPatchedRow has one of 100 clusters report: its row is sent alone, and no results are read back, whatever comes first, the
// answer or the event. After another client changed the object, it is read once.
func TestPatchedRow(t *testing.T) {
	w, f := newListing(t)
	requests := func() string { return strings.Join(f.take(), "\n") }
	const row = "PATCH 200, edge050 sent: false, received: false"
	w.eventually("the first write", "POST 201, edge050 sent: true, received: true", requests)
	for ready := range int64(5) {
		w.put(workStatuses, w.report("edge1", "web", m{"readyReplicas": 10 + ready}))
		w.eventually("the row is another one", fmt.Sprint("edge1 ", 10+ready), w.lastRow)
		w.eventually("it was sent alone", row, requests)
	}
	w.edit(combinedStatuses, w.namespace, w.combinedName(), func(obj m) { obj["metadata"].(m)["annotations"] = m{"team": "shop"} })
	w.eventually("it is read", "GET 200, edge050 sent: false, received: true", requests)
	w.put(workStatuses, w.report("edge1", "web", m{"readyReplicas": int64(20)}))
	w.eventually("what others added stays", "edge1 20", w.lastRow)
	w.eventually("a row is sent alone again", row, requests)
	w.settled()
	if got := requests(); got != "" {
		t.Errorf("more requests than these: %s", got)
	}
}

// TestEditedBeforeWrite has another client change the object after the controller decided about its patch. The patch is refused,
// nothing is logged as an error, what belongs to the controller is put right, and the rest of the change stays.
func TestEditedBeforeWrite(t *testing.T) {
	for name, tc := range map[string]struct {
		reason string
		edit   func(obj m)
	}{
		"other row":  {"the patch would fit", func(obj m) { rowsIn(obj)[50] = rowsIn(obj)[51] }},
		"fewer rows": {"the row that the patch changes is another one", func(obj m) { obj["results"].([]any)[0].(m)["rows"] = rowsIn(obj)[:50] }},
		"no results": {"nothing is left of it", func(obj m) { delete(obj, "results") }},
	} {
		t.Run(name, func(t *testing.T) {
			w, f := newListing(t)
			edit := sync.OnceFunc(func() {
				w.edit(combinedStatuses, w.namespace, w.combinedName(), func(obj m) {
					obj["metadata"].(m)["annotations"] = m{"team": "shop"}
					tc.edit(obj)
				})
			})
			f.take()
			f.before = func(*http.Request) { edit() }
			w.put(workStatuses, w.report("edge1", "web", m{"readyReplicas": int64(10)}))
			w.eventually(tc.reason, "edge1 10", w.lastRow)
			w.settled()
			if lines := f.take(); len(lines) < 3 || !strings.HasPrefix(lines[0], "PATCH 4") {
				t.Errorf("want a refused patch, a read, and another patch, got %q", lines)
			}
			if got := w.list(combinedStatuses)[0].GetAnnotations()["team"]; got != "shop" {
				t.Errorf("the annotation of another client is %q", got)
			}
			if text := w.log.String(); strings.Contains(text, "level=ERROR") {
				t.Errorf("an error was logged:\n%s", text)
			}
		})
	}
}

// TestDeletedBeforeWrite is the same with an object that another client deletes.
func TestDeletedBeforeWrite(t *testing.T) {
	w, f := newListing(t)
	remove := sync.OnceFunc(func() { w.delete(combinedStatuses, w.namespace, w.combinedName()) })
	f.before = func(*http.Request) { remove() }
	w.put(workStatuses, w.report("edge1", "web", m{"readyReplicas": int64(10)}))
	w.eventually("it is created again", "edge1 10", w.lastRow)
	w.settled()
	if text := w.log.String(); strings.Contains(text, "level=ERROR") {
		t.Errorf("an error was logged:\n%s", text)
	}
}

func rowsIn(obj m) []any { return obj["results"].([]any)[0].(m)["rows"].([]any) }
