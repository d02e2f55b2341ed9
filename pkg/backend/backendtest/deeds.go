package backendtest

import (
	"maps"
	"net/http"
	"slices"
	"strings"
)

func (w *Server) post(c call) (int, any) {
	if c.parents != nil && !slices.ContainsFunc(c.parents, func(kind string) bool {
		return kind == Hosts && strings.HasPrefix(c.parent, Hosts) || w.things[kind+"/"+c.parent] != nil
	}) {
		return http.StatusNotFound, "no such parent"
	}
	id := c.sort.id(c.parent, c.body)
	name := nameOf(c.kind, c.parent, id)
	if w.things[name] != nil {
		return c.taken, "there is one"
	}
	if !w.known(c) {
		return http.StatusBadRequest, "it names what is not there"
	}
	w.clock++
	w.things[name] = &thing{c.kind, c.parent, id, c.body, w.clock}
	return http.StatusCreated, nil
}

// known reports whether all is there that a body names.
func (w *Server) known(c call) bool {
	for f, kind := range c.names {
		if id, _ := c.body[f].(string); id != "" && w.things[kind+"/"+id] == nil {
			return false
		}
	}
	return true
}

func (w *Server) put(c call) (int, any) {
	t := w.things[nameOf(c.kind, c.parent, c.id)]
	switch {
	case t == nil:
		return http.StatusNotFound, nil
	case !w.known(c):
		return http.StatusBadRequest, nil
	}
	changed := *t // what restore goes back to keeps its body
	changed.body = c.body
	w.things[nameOf(c.kind, c.parent, c.id)] = &changed
	if c.kind == "TunnelZone" {
		return http.StatusConflict, "the name is taken"
	}
	return http.StatusNoContent, nil
}

func (w *Server) read(c call) (int, any) {
	t := w.things[nameOf(c.kind, c.parent, c.id)]
	if t == nil {
		return http.StatusNotFound, nil
	}
	return http.StatusOK, t.body
}

func (w *Server) delete(c call) (int, any) {
	t := w.things[nameOf(c.kind, c.parent, c.id)]
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

func (w *Server) holds(t *thing) bool {
	for _, o := range w.things {
		if t.holds(o) {
			return true
		}
	}
	return false
}

func (w *Server) named(t *thing) bool {
	for _, o := range w.things {
		for _, s := range sorts {
			for f, kind := range s.names {
				if s.kind == o.kind && kind == t.kind && o.body[f] == t.id {
					return true
				}
			}
		}
	}
	return false
}

// holds reports whether another thing is one of t's own.
func (t *thing) holds(o *thing) bool {
	for _, s := range sorts {
		if s.kind == o.kind && o.parent == t.id && slices.Contains(s.parents, t.kind) && !slices.Contains(scoped, t.kind) {
			return true
		}
	}
	return false
}

// remove takes a thing away, what it holds, and what cannot be without it.
func (w *Server) remove(t *thing) {
	delete(w.things, nameOf(t.kind, t.parent, t.id))
	for _, name := range slices.Sorted(maps.Keys(w.things)) {
		o := w.things[name]
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

// separate is what becomes of a thing that names one that is gone.
func (w *Server) separate(gone, o *thing) {
	for _, s := range sorts {
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
