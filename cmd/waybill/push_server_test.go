package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// restServer is a small REST API that enforces what such APIs enforce: who asks, no item twice, nothing
// below or about what is not there, and what is below an item goes with it.
type restServer struct {
	*httptest.Server
	guard  sync.Mutex
	token  string
	items  map[string]restItem // by kind and id
	asked  int
	during func(n int, r *http.Request) stop // about each request, by its number
}

type restItem struct {
	parent string // kind and id
	body   string
}

// stop is what happens to a request.
type stop struct {
	status        int           // answered in place of anything else
	before, after chan struct{} // closed, and no answer comes then
}

// restKind is how one kind of item behaves.
type restKind struct {
	name, collection, item string
	below                  string            // the kind of what holds it
	names                  map[string]string // fields, and the kind of what they name
	put                    bool
}

// dnsKinds are the kinds of table rest-example.
var dnsKinds = []restKind{
	{name: "zone", collection: "/zones", item: "/zones/{id}", put: true},
	{name: "record", collection: "/zones/{parent}/records", item: "/records/{id}", below: "zone", names: map[string]string{"monitorId": "monitor"}, put: true},
	{name: "monitor", collection: "/monitors", item: "/monitors/{id}"},
}

func newRESTServer(t *testing.T, token string, kinds ...restKind) *restServer {
	t.Helper()
	s := &restServer{token: token, items: map[string]restItem{}}
	mux := http.NewServeMux()
	for _, k := range kinds {
		mux.HandleFunc("POST /v1"+k.collection, s.serve(k, s.post))
		mux.HandleFunc("GET /v1"+k.item, s.serve(k, s.read))
		mux.HandleFunc("DELETE /v1"+k.item, s.serve(k, s.remove))
		if k.put {
			mux.HandleFunc("PUT /v1"+k.item, s.serve(k, s.put))
		}
	}
	s.Server = httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

// restCall is one request, taken apart.
type restCall struct {
	restKind
	parent, id, body string
	fields           map[string]any
}

func (s *restServer) serve(k restKind, do func(restCall) (int, string)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		s.guard.Lock()
		defer s.guard.Unlock()
		s.asked++
		c := restCall{restKind: k, parent: k.below + " " + r.PathValue("parent"), id: k.name + " " + r.PathValue("id"), body: string(body)}
		var halt stop
		if s.during != nil {
			halt = s.during(s.asked, r)
		}
		switch {
		case err != nil:
			return // who asked is gone
		case r.Header.Get("Authorization") != "Bearer "+s.token:
			http.Error(w, "not you, "+r.Header.Get("Authorization"), http.StatusUnauthorized)
			return
		case halt.status != 0:
			http.Error(w, "no", halt.status)
			return
		case halt.before != nil:
			s.hang(r, halt.before)
			return
		}
		status, answer := s.carryOut(r, c, do)
		if halt.after != nil {
			s.hang(r, halt.after)
			return
		}
		w.WriteHeader(status)
		fmt.Fprintln(w, answer)
	}
}

// hang waits until the client gives up.
func (s *restServer) hang(r *http.Request, reached chan struct{}) {
	s.guard.Unlock()
	defer s.guard.Lock()
	close(reached)
	<-r.Context().Done()
}

func (s *restServer) carryOut(r *http.Request, c restCall, do func(restCall) (int, string)) (int, string) {
	if r.Method != http.MethodPost && r.Method != http.MethodPut {
		return do(c)
	}
	if r.Header.Get("Content-Type") != "application/json" || json.Unmarshal([]byte(c.body), &c.fields) != nil {
		return http.StatusUnsupportedMediaType, "want JSON"
	}
	for field, kind := range c.names {
		if id, ok := c.fields[field]; ok && !s.has(fmt.Sprint(kind, " ", id)) {
			return http.StatusNotFound, "no such " + kind
		}
	}
	return do(c)
}

func (s *restServer) has(key string) bool {
	_, ok := s.items[key]
	return ok
}

func (s *restServer) post(c restCall) (int, string) {
	key := fmt.Sprint(c.name, " ", c.fields["id"])
	switch {
	case c.below != "" && !s.has(c.parent):
		return http.StatusNotFound, "no such " + c.below
	case s.has(key):
		return http.StatusConflict, "there is one"
	case c.fields["bad"] != nil:
		return http.StatusUnprocessableEntity, "bad"
	}
	s.items[key] = restItem{c.parent, c.body}
	return http.StatusCreated, c.body
}

func (s *restServer) put(c restCall) (int, string) {
	old, ok := s.items[c.id]
	if !ok {
		return http.StatusNotFound, "nothing"
	}
	s.items[c.id] = restItem{old.parent, c.body}
	return http.StatusOK, c.body
}

func (s *restServer) read(c restCall) (int, string) {
	if !s.has(c.id) {
		return http.StatusNotFound, "nothing"
	}
	return http.StatusOK, s.items[c.id].body
}

func (s *restServer) remove(c restCall) (int, string) {
	if !s.has(c.id) {
		return http.StatusNotFound, "nothing"
	}
	delete(s.items, c.id)
	kind, id, _ := strings.Cut(c.id, " ")
	for key, item := range s.items {
		if item.parent == c.id || strings.Contains(item.body, fmt.Sprintf(`"%sId":%q`, kind, id)) {
			delete(s.items, key)
		}
	}
	return http.StatusNoContent, ""
}

// holds are the items there are, a line each.
func (s *restServer) holds() (lines []string) {
	s.guard.Lock()
	defer s.guard.Unlock()
	for _, key := range slices.Sorted(maps.Keys(s.items)) {
		lines = append(lines, key+" in "+s.items[key].parent+": "+s.items[key].body)
	}
	return lines
}

// halts says what happens to requests from now on, which are counted from 0.
func (s *restServer) halts(during func(n int, r *http.Request) stop) {
	s.guard.Lock()
	defer s.guard.Unlock()
	s.asked, s.during = 0, during
}

func (s *restServer) requests() int {
	s.guard.Lock()
	defer s.guard.Unlock()
	return s.asked
}
