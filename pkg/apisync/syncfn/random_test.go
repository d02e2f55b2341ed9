package syncfn_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/apisync/syncfn"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// naive models the two sides of a package by maps, and what sync does to them.
type naive struct {
	complete bool
	sources  map[string]*naiveSource // by name
	copies   map[string]*naiveCopy   // by name of the source
	origins  map[string]string       // Secrets at the destination: password by name
	secrets  map[string]naiveSecret  // copies at the source, by name
}

type naiveSource struct {
	spec, labels map[string]string
	status       string
	deleting     bool
}

type naiveCopy struct {
	spec, labels         map[string]string
	lastSpec, lastLabels map[string]string // nil: not known
	status               string
}

// naiveSecret is a copy of a Secret; it belongs to a source by name.
type naiveSecret struct{ password, last, owner string }

// sync copies changes from side to side.
func (n *naive) sync() (refused bool) {
	if n.complete && len(n.sources) == 0 && len(n.copies) > 0 {
		return true
	}
	for name, c := range n.copies {
		if src := n.sources[name]; src != nil && src.deleting || src == nil && n.complete {
			for secret, s := range n.secrets {
				if s.owner == name {
					delete(n.secrets, secret)
				}
			}
			delete(n.copies, name)
			continue
		} else if src == nil {
			continue
		}
		src := n.sources[name]
		follow(c.spec, c.lastSpec, src.spec)
		follow(c.labels, c.lastLabels, src.labels)
		c.lastSpec, c.lastLabels = maps.Clone(src.spec), maps.Clone(src.labels)
	}
	for name, src := range n.sources {
		if n.copies[name] == nil && !src.deleting {
			n.copies[name] = &naiveCopy{
				spec: maps.Clone(src.spec), labels: maps.Clone(src.labels), lastSpec: maps.Clone(src.spec), lastLabels: maps.Clone(src.labels),
			}
		}
		if c := n.copies[name]; c != nil && !src.deleting {
			src.status = c.status
			n.relate(name, c.status)
		}
	}
	return false
}

// follow applies to a copy what changed in its source since the last time.
func follow(have, last, now map[string]string) {
	for k, v := range now {
		if last == nil || last[k] != v {
			have[k] = v
		}
	}
	for k := range last {
		if _, still := now[k]; !still {
			delete(have, k)
		}
	}
}

// relate copies the Secret that a status names.
func (n *naive) relate(owner, secret string) {
	password, there := n.origins[secret]
	if !there {
		return
	}
	s, was := n.secrets[secret]
	if !was || s.last != password {
		s.password = password
	}
	n.secrets[secret] = naiveSecret{s.password, password, owner}
}

// step changes the model and the items, as a consumer, a provider or a user by hand would.
func (w *pair) step(r *rand.Rand) string {
	n := w.model
	name := fmt.Sprintf("s%d", r.IntN(4))
	key, value := string("abc"[r.IntN(3)]), fmt.Sprint(r.IntN(3))
	switch r.IntN(12) {
	case 0, 1, 2:
		src := n.sources[name]
		if src == nil {
			src = &naiveSource{spec: map[string]string{}, labels: map[string]string{}}
			n.sources[name] = src
		}
		src.spec[key] = value
	case 3:
		if src := n.sources[name]; src != nil {
			delete(src.spec, key)
		}
	case 4:
		if src := n.sources[name]; src != nil && r.IntN(2) == 0 {
			src.labels[key] = value
		} else if src != nil {
			delete(src.labels, key)
		}
	case 5:
		if c := n.copies[name]; c != nil {
			c.spec[key] = "by hand " + value
			c.labels["local"] = value
		}
	case 6:
		if c := n.copies[name]; c != nil {
			c.status = "secret-" + name
		}
	case 7:
		n.origins["secret-"+name] = value
	case 8:
		if src := n.sources[name]; src != nil {
			src.deleting = true
		}
	case 9:
		delete(n.sources, name)
	case 10:
		if s, there := n.secrets["secret-"+name]; there {
			s.password = "by hand"
			n.secrets["secret-"+name] = s
		}
	case 11:
		w.loseState(name)
	}
	return name
}

// pair is a model and the items that must match it.
type pair struct {
	model *naive
	items []*krm.Object
}

// loseState deletes what was last applied for a source, its Secrets included.
func (w *pair) loseState(name string) {
	w.items = slices.DeleteFunc(slices.Clone(w.items), func(o *krm.Object) bool {
		return o.Kind() == "SyncState" && strings.HasSuffix(o.Annotation("waybill.dev/owner"), "/"+name)
	})
	if c := w.model.copies[name]; c != nil {
		c.lastSpec, c.lastLabels = nil, nil
	}
	for secret, s := range w.model.secrets {
		if s.owner == name {
			s.last = "not known"
			w.model.secrets[secret] = s
		}
	}
}

const randomConfig = `apiVersion: waybill.dev/v1alpha1
kind: PublishedResource
metadata: {name: orders}
spec:
  resource: {apiGroup: apps.example, kind: Copy}
  projection: {group: shop.example, kind: Source}
  naming: {name: "{{ .Object.metadata.name }}", namespace: copies}
  cluster: main
  view: %s
  related:
  - {identifier: creds, origin: service, version: v1, resource: secrets, object: {reference: {path: status.secret}}}
`

const randomCRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: copies.apps.example}
spec:
  group: apps.example
  scope: Namespaced
  names: {kind: Copy, plural: copies}
  versions: [{name: v1, served: true, storage: true}]
`

// TestRandomHistories changes both sides at random, and checks that sync does what the naive model does, and that a second run
// changes nothing.
func TestRandomHistories(t *testing.T) {
	for seed := range uint64(testenv.Few(150)) {
		r := rand.New(rand.NewPCG(seed, 1))
		w := &pair{
			model: &naive{
				complete: seed%2 == 0, sources: map[string]*naiveSource{}, copies: map[string]*naiveCopy{}, origins: map[string]string{}, secrets: map[string]naiveSecret{},
			},
			items: read(t, randomCRD),
		}
		view := map[bool]string{true: "Complete", false: "Partial"}[w.model.complete]
		config := read(t, fmt.Sprintf(randomConfig, view))[0]
		for step := range 25 {
			w.step(r)
			w.project(t)
			if r.IntN(2) == 0 {
				continue
			}
			refused := w.model.sync()
			out := syncfn.Function.Apply(t.Context(), &fn.Input{Items: w.items, Config: config})
			if out.Failed() != refused {
				t.Fatalf("seed %d, step %d: refused %v, want %v: %v", seed, step, out.Failed(), refused, out.Results)
			}
			if refused {
				continue
			}
			w.items = out.Items
			if diff := cmp.Diff(w.model.lines(), linesOf(w.items)); diff != "" {
				t.Fatalf("seed %d, step %d: (-model +sync)\n%s", seed, step, diff)
			}
			again := syncfn.Function.Apply(t.Context(), &fn.Input{Items: w.items, Config: config})
			if diff := cmp.Diff(dump(t, w.items), dump(t, again.Items)); diff != "" {
				t.Fatalf("seed %d, step %d: a second run changes something:\n%s", seed, step, diff)
			}
		}
	}
}
