package upstream_test

import (
	"path"
)

func (m *maker) kptfile(name string) map[string]any {
	k := map[string]any{"apiVersion": "kpt.dev/v1", "kind": "Kptfile", "metadata": map[string]any{"name": path.Base(name), "labels": m.words()},
		"info": map[string]any{"description": m.pick("one", "two"), "site": "s"}}
	var fns []any
	for _, image := range []string{"r/set-a:v1", "r/set-b:v1"}[:m.rng.IntN(3)] {
		fns = append(fns, map[string]any{"image": image})
	}
	if len(fns) > 0 {
		k["pipeline"] = map[string]any{"mutators": fns}
	}
	return k
}

var madeVersions = map[string]string{"Deployment": "apps/v1", "Gate": "x.dev/v1", "ConfigMap": "v1", "Service": "v1"}

func (m *maker) object(kind, name string) map[string]any {
	o := map[string]any{"apiVersion": madeVersions[kind], "kind": kind, "metadata": map[string]any{"name": name, "labels": m.words()}}
	switch kind {
	case "ConfigMap":
		o["data"] = m.words()
	case "Service":
		o["spec"] = map[string]any{"type": m.word(), "ports": []any{map[string]any{"name": "web", "port": 80, "protocol": "TCP"}, map[string]any{"name": "tls", "port": 443, "protocol": "TCP"}}}
	case "Gate":
		o["spec"] = map[string]any{"routes": []any{map[string]any{"name": "r", "to": m.word()}}, "deep": map[string]any{"a": m.words()}}
	case "Deployment":
		o["spec"] = map[string]any{"replicas": 1 + m.rng.IntN(3), "template": map[string]any{"spec": map[string]any{"containers": []any{m.container("web"), m.container("proxy")}}}}
	}
	return o
}

func (m *maker) words() map[string]any {
	out := map[string]any{"kept": "k"}
	for _, k := range []string{"a", "b", "c.d/e"} {
		if !m.chance(3) {
			out[k] = m.word()
		}
	}
	return out
}

func (m *maker) container(name string) map[string]any {
	return map[string]any{"name": name, "image": m.pick("i:1", "i:2"), "args": []any{m.word(), "-v"},
		"env": []any{map[string]any{"name": "A", "value": m.word()}, map[string]any{"name": "B", "value": m.word()}}}
}
