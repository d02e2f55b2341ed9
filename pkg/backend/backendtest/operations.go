package backendtest

import (
	"maps"
	"net/http"
	"slices"
	"strings"
)

func (w *Server) post(c call) (int, any) {
	if c.parents != nil && !slices.ContainsFunc(c.parents, func(kind string) bool {
		return kind == Hosts && strings.HasPrefix(c.parent, Hosts) || w.resources[kind+"/"+c.parent] != nil
	}) {
		return http.StatusNotFound, "no such parent"
	}
	id := c.kindSpec.id(c.parent, c.body)
	name := nameOf(c.kind, c.parent, id)
	if w.resources[name] != nil {
		return c.taken, "there is one"
	}
	if !w.known(c) {
		return http.StatusBadRequest, "it names what is not there"
	}
	w.clock++
	w.resources[name] = &resource{c.kind, c.parent, id, c.body, w.clock}
	return http.StatusCreated, nil
}

// known reports whether everything exists that a body refers to.
func (w *Server) known(c call) bool {
	for f, kind := range c.names {
		if id, _ := c.body[f].(string); id != "" && w.resources[kind+"/"+id] == nil {
			return false
		}
	}
	return true
}

func (w *Server) put(c call) (int, any) {
	t := w.resources[nameOf(c.kind, c.parent, c.id)]
	switch {
	case t == nil:
		return http.StatusNotFound, nil
	case !w.known(c):
		return http.StatusBadRequest, nil
	}
	changed := *t // what restore goes back to keeps its body
	changed.body = c.body
	w.resources[nameOf(c.kind, c.parent, c.id)] = &changed
	if c.kind == "TunnelZone" {
		return http.StatusConflict, "the name is taken"
	}
	return http.StatusNoContent, nil
}

func (w *Server) read(c call) (int, any) {
	t := w.resources[nameOf(c.kind, c.parent, c.id)]
	if t == nil {
		return http.StatusNotFound, nil
	}
	return http.StatusOK, t.body
}

func (w *Server) delete(c call) (int, any) {
	t := w.resources[nameOf(c.kind, c.parent, c.id)]
	if t == nil {
		return http.StatusNotFound, nil
	}
	switch {
	case w.Refuse && w.holds(t):
		return http.StatusConflict, "it holds something"
	case w.Restrict && w.named(t):
		return http.StatusConflict, "something names it"
	}
	w.remove(t)
	return http.StatusNoContent, nil
}

func (w *Server) holds(t *resource) bool {
	for _, o := range w.resources {
		if t.holds(o) {
			return true
		}
	}
	return false
}

func (w *Server) named(t *resource) bool {
	for _, o := range w.resources {
		for _, s := range kinds {
			for f, kind := range s.names {
				if s.kind == o.kind && kind == t.kind && o.body[f] == t.id {
					return true
				}
			}
		}
	}
	return false
}

// holds reports whether another resource is a child of t.
func (t *resource) holds(o *resource) bool {
	for _, s := range kinds {
		if s.kind == o.kind && o.parent == t.id && slices.Contains(s.parents, t.kind) && !slices.Contains(scoped, t.kind) {
			return true
		}
	}
	return false
}

// remove deletes a resource, its children, and what cannot exist without it.
func (w *Server) remove(t *resource) {
	delete(w.resources, nameOf(t.kind, t.parent, t.id))
	for _, name := range slices.Sorted(maps.Keys(w.resources)) {
		o := w.resources[name]
		if o == nil {
			continue
		}
		if t.holds(o) {
			w.remove(o)
			continue
		}
		w.separate(t, o)
	}
}

// separate deletes or changes a resource that refers to a deleted one.
func (w *Server) separate(gone, o *resource) {
	for _, s := range kinds {
		for f, kind := range s.names {
			if s.kind != o.kind || kind != gone.kind || o.body[f] != gone.id {
				continue
			}
			if f != "inboundFilterId" && f != "outboundFilterId" {
				w.remove(o)
				return
			}
			o.body = maps.Clone(o.body)
			delete(o.body, f)
		}
	}
}
