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

// Server is a MidoNet that holds no packets: it enforces what its API enforces, written from the API's
// rules and not from the table. Below a parent that is deleted nothing is left, and what names
// something deleted is deleted or changed, so that whoever forgets to make it anew is found out.
type Server struct {
	*httptest.Server
	guard  sync.Mutex
	things Things
	clock  int
	tokens map[string]int // and how many requests each is good for
	logins int
	served int
	Refuse bool // to delete what still holds something

	Restrict bool // refuse to delete what something still names

	// fault, if set, is asked about every request but logins, by its number.
	fault func(n int, r *http.Request) Fault
}

// Fails has requests fail from now on: how is asked about every request but logins, by its number. nil ends it.
func (w *Server) Fails(how func(n int, r *http.Request) Fault) {
	w.guard.Lock()
	defer w.guard.Unlock()
	w.fault = how
}

// Fault is what goes wrong with a request; the zero Fault, nothing.
type Fault struct {
	Status  int    // answered in place of anything else
	After   string // with this Retry-After
	Message string
	Cut     bool // the connection ends after the request was carried out
	Slow    bool // no answer after the request was carried out, until nobody waits for it
}

// What a client logs in with.
const (
	User     = "admin"
	Password = "s3cret:pass/word"
	Project  = "lab"
)

const tokenLife = 7 // requests

// New starts a server that holds nothing, until the test ends. Its API is below /api.
func New(t testing.TB) *Server {
	w := &Server{things: Things{}, tokens: map[string]int{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api/login", w.login)
	for _, s := range sorts {
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
	w.guard.Lock()
	defer w.guard.Unlock()
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

// call is one request, taken apart.
type call struct {
	sort
	parent, id string
	body       map[string]any
}

func (w *Server) serve(s sort, do func(call) (int, any)) http.HandlerFunc {
	return func(rw http.ResponseWriter, r *http.Request) {
		w.guard.Lock()
		defer w.guard.Unlock()
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
		status, answer := w.carryOut(s, r, do)
		if f.Cut {
			panic(http.ErrAbortHandler)
		}
		if f.Slow {
			w.guard.Unlock()
			<-r.Context().Done()
			w.guard.Lock()
		}
		rw.WriteHeader(status)
		_ = json.NewEncoder(rw).Encode(answer)
	}
}

func (w *Server) carryOut(s sort, r *http.Request, do func(call) (int, any)) (int, any) {
	c := call{sort: s, parent: r.PathValue("parent"), id: r.PathValue("id")}
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
