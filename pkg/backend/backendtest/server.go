package backendtest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
)

// Server enforces what MidoNet's API enforces, written from the API's rules and not from the table, and routes no packets. A
// deletion deletes everything below the resource, and deletes or changes what refers to it, so that a client that does not
// create these again is found out.
type Server struct {
	*httptest.Server
	mu        sync.Mutex
	resources Resources
	clock     int
	tokens    map[string]int // and the number of requests that each is valid for
	logins    int
	served    int
	Refuse    bool // to delete what still holds something

	Restrict bool // refuse to delete what something still names

	// fault, if set, is called for every request except logins, with its number.
	fault func(n int, r *http.Request) Fault
}

// Fails makes requests fail from now on: how is called for every request except logins, with its number. nil ends it.
func (w *Server) Fails(how func(n int, r *http.Request) Fault) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.fault = how
}

// Fault is how a request fails; the zero Fault: not at all.
type Fault struct {
	Status  int    // the answer in place of any other
	After   string // with this Retry-After
	Message string
	Cut     bool // the connection ends after the request was executed
	Slow    bool // no answer after the request was executed, until the client gives up
}

// The credentials of a client.
const (
	User     = "admin"
	Password = "s3cret:pass/word"
	Project  = "lab"
)

const tokenLife = 7 // requests

// New starts an empty server that runs until the test ends. Its API is below /api.
func New(t testing.TB) *Server {
	w := &Server{resources: Resources{}, tokens: map[string]int{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api/login", w.login)
	for _, s := range kinds {
		mux.HandleFunc("POST /api"+s.collection, w.serve(s, w.post))
		if s.item == "" {
			continue
		}
		mux.HandleFunc("DELETE /api"+s.item, w.serve(s, w.delete))
		if s.get {
			mux.HandleFunc("GET /api"+s.item, w.serve(s, w.read))
		}
		if s.put {
			mux.HandleFunc("PUT /api"+s.item, w.serve(s, w.put))
		}
	}
	w.Server = httptest.NewServer(mux)
	t.Cleanup(w.Close)
	return w
}

func (w *Server) login(rw http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	defer w.mu.Unlock()
	u, p, ok := r.BasicAuth()
	if !ok || u != User || p != Password || r.Header.Get("X-Auth-Project") != Project {
		http.Error(rw, "who is "+u+" with "+p+"?", http.StatusUnauthorized)
		return
	}
	w.logins++
	token := fmt.Sprintf("token-%d", w.logins)
	w.tokens[token] = tokenLife
	fmt.Fprintf(rw, `{"key":%q,"expires":"soon"}`, token)
}

// call is one parsed request.
type call struct {
	kindSpec
	parent, id string
	body       map[string]any
}

func (w *Server) serve(s kindSpec, do func(call) (int, any)) http.HandlerFunc {
	return func(rw http.ResponseWriter, r *http.Request) {
		w.mu.Lock()
		defer w.mu.Unlock()
		token := r.Header.Get("X-Auth-Token")
		if w.tokens[token]--; w.tokens[token] < 0 {
			delete(w.tokens, token)
			http.Error(rw, "log in", http.StatusUnauthorized)
			return
		}
		w.served++
		var f Fault
		if w.fault != nil {
			f = w.fault(w.served, r)
		}
		if f.Status != 0 {
			rw.Header().Set("Retry-After", f.After)
			http.Error(rw, f.Message, f.Status)
			return
		}
		status, answer := w.execute(s, r, do)
		if f.Cut {
			panic(http.ErrAbortHandler)
		}
		if f.Slow {
			w.mu.Unlock()
			<-r.Context().Done()
			w.mu.Lock()
		}
		rw.WriteHeader(status)
		_ = json.NewEncoder(rw).Encode(answer)
	}
}

func (w *Server) execute(s kindSpec, r *http.Request, do func(call) (int, any)) (int, any) {
	c := call{kindSpec: s, parent: r.PathValue("parent"), id: r.PathValue("id")}
	media := "application/vnd.org.midonet." + s.media + "+json"
	data, err := io.ReadAll(r.Body)
	if err != nil {
		return http.StatusBadRequest, nil
	}
	switch r.Method {
	case http.MethodPost, http.MethodPut:
		if r.Header.Get("Content-Type") != media || r.Header.Get("Accept") != "" {
			return http.StatusUnsupportedMediaType, nil
		}
		if json.Unmarshal(data, &c.body) != nil {
			return http.StatusUnprocessableEntity, "no JSON"
		}
	case http.MethodGet:
		if r.Header.Get("Accept") != media {
			return http.StatusNotAcceptable, nil
		}
	case http.MethodDelete:
		if len(data) > 0 || r.Header.Get("Content-Type")+r.Header.Get("Accept") != "" {
			return http.StatusUnsupportedMediaType, nil
		}
	}
	if c.kind == "PortLink" {
		c.id = c.parent
	}
	return do(c)
}
