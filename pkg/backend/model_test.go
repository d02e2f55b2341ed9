package backend_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// modelTable has every kind of tie: parents, references of what can and cannot be replaced, to others and to
// their like, and order. BLOCKS is filled in.
const modelTable = `
apiVersion: waybill.dev/v1alpha1
kind: BackendTable
metadata: {name: model}
spec:
  auth: {type: None}
  statuses: {missing: [404, 422]}
  kinds:
    - {kind: Mon, create: [{path: /mon}], read: "/mon/{id}", delete: "/mon/{id}", references: [{field: mon, kinds: [Mon]BLOCKS}]}
    - {kind: Zone, create: [{path: /zone}], replace: "/zone/{id}", delete: "/zone/{id}", references: [{field: mon, kinds: [Mon]BLOCKS}, {field: zone, kinds: [Zone]BLOCKS}]}
    - {kind: Rec, create: [{path: "/zone/{parent}/rec"}], replace: "/rec/{id}", delete: "/rec/{id}", parents: [Zone], references: [{field: mon, kinds: [Mon]BLOCKS}, {field: zone, kinds: [Zone]BLOCKS}]}
    - {kind: Rule, create: [{path: "/zone/{parent}/rule"}], delete: "/rule/{id}", parents: [Zone], ordered: true, references: [{field: rec, kinds: [Rec]BLOCKS}, {field: zone, kinds: [Zone]BLOCKS}]}
`

// thing is what the model holds under a key such as "rec/r1". Fields named like a kind are references.
type thing struct {
	parent, body string
	fields       map[string]string
	born         int
}

func (x *thing) names(key string) bool {
	kind, id, _ := strings.Cut(key, "/")
	return x.fields[kind] == id || kind == "zone" && x.parent == id
}

// model is a backend of such a table. It wants what is named to be there. If it blocks, it deletes nothing
// that is named; else it takes what is below it and what cannot be replaced along.
type model struct {
	blocks  bool
	things  map[string]*thing
	born    int
	desired map[string]bool
	wrongs  []string                            // deletions of what is not desired, but named
	fault   func() (before, after bool, as int) // what goes wrong with a request; as 0: no answer
}

func (m *model) RoundTrip(r *http.Request) (*http.Response, error) {
	body := ""
	if r.Body != nil {
		data, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		body = string(data)
	}
	path := strings.Trim(r.URL.Path, "/")
	before, after, as := m.fault()
	status := as
	if !before {
		if status = m.serve(r.Method, strings.Split(path, "/"), body); after {
			status = as
		}
	}
	switch status {
	case 0:
		return nil, errors.New("connection reset")
	case die:
		panic(killed{})
	}
	said := ""
	if x := m.things[path]; r.Method == http.MethodGet && x != nil {
		said = x.body
	}
	return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(said)), Request: r}, nil
}

// die is no status, but the end of the client.
const die = -1

func (m *model) serve(method string, path []string, body string) int {
	var fields map[string]string
	if body != "" && json.Unmarshal([]byte(body), &fields) != nil {
		return http.StatusBadRequest
	}
	if method == http.MethodPost {
		return m.create(path, body, fields)
	}
	key := strings.Join(path, "/")
	x := m.things[key]
	switch {
	case x == nil:
		return http.StatusNotFound
	case method == http.MethodPut && m.misses(fields):
		return http.StatusUnprocessableEntity
	case method == http.MethodPut:
		x.body, x.fields = body, fields
	case method == http.MethodDelete:
		return m.remove(key)
	}
	return http.StatusOK
}

func (m *model) create(path []string, body string, fields map[string]string) int {
	parent := ""
	if len(path) == 3 {
		parent = path[1]
	}
	key := path[len(path)-1] + "/" + fields["id"]
	switch {
	case parent != "" && m.things["zone/"+parent] == nil, m.misses(fields):
		return http.StatusNotFound
	case m.things[key] != nil:
		return http.StatusConflict
	}
	m.born++
	m.things[key] = &thing{parent, body, fields, m.born}
	return http.StatusCreated
}

func (m *model) misses(fields map[string]string) bool {
	for kind, id := range fields {
		if kind != "id" && kind != "v" && m.things[kind+"/"+id] == nil {
			return true
		}
	}
	return false
}

func (m *model) remove(key string) int {
	var naming []string
	for other, x := range m.things {
		if other != key && x.names(key) {
			naming = append(naming, other)
		}
	}
	if m.blocks && len(naming) > 0 {
		return http.StatusConflict
	}
	if len(naming) > 0 && !m.desired[key] {
		m.wrongs = append(m.wrongs, fmt.Sprintf("%s goes while %d name it", key, len(naming)))
	}
	m.take(key)
	return http.StatusNoContent
}

// take deletes a thing with all that goes with it.
func (m *model) take(key string) {
	kind, id, _ := strings.Cut(key, "/")
	delete(m.things, key)
	for other, x := range m.things {
		fixed := strings.HasPrefix(other, "mon/") || strings.HasPrefix(other, "rule/")
		if m.things[other] != nil && (kind == "zone" && x.parent == id || fixed && x.names(key)) {
			m.take(other)
		}
	}
}
