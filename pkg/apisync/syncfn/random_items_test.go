package syncfn_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/krm"
)

func read(t testing.TB, text string) []*krm.Object {
	t.Helper()
	objects, err := krm.Read("in.yaml", []byte(text), krm.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return objects
}

func dump(t testing.TB, items []*krm.Object) string {
	t.Helper()
	data, err := krm.Write(items)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// project applies the changes of the model to the items, and keeps what belongs to sync.
func (w *pair) project(t testing.TB) {
	t.Helper()
	n := w.model
	seen := map[string]bool{}
	w.items = slices.DeleteFunc(slices.Clone(w.items), func(o *krm.Object) bool {
		name := o.Name()
		switch {
		case o.Kind() == "Source":
			return n.sources[name] == nil
		case o.Kind() == "Secret" && o.Namespace() == "copies":
			_, there := n.origins[name]
			return !there
		}
		return false
	})
	for i, o := range w.items {
		edited := o.DeepCopy()
		switch {
		case o.Kind() == "Source":
			seen[o.Name()] = true
			write(edited, n.sources[o.Name()].spec, n.sources[o.Name()].labels, "")
			if n.sources[o.Name()].deleting {
				krm.SetField(edited.Lookup("metadata"), "deletionTimestamp", krm.StringNode("2026-01-02T03:04:05Z"))
			}
		case o.Kind() == "Copy":
			c := n.copies[o.Name()]
			write(edited, c.spec, c.labels, c.status)
		case o.Kind() == "Secret" && o.Namespace() == "copies":
			seen["origin "+o.Name()] = true
			krm.SetField(edited.Node(), "data", krm.MapNode(krm.StringNode("password"), krm.StringNode(n.origins[o.Name()])))
		case o.Kind() == "Secret":
			krm.SetField(edited.Node(), "data", krm.MapNode(krm.StringNode("password"), krm.StringNode(n.secrets[o.Name()].password)))
		default:
			continue
		}
		w.items[i] = edited
	}
	w.addNew(t, seen)
}

func (w *pair) addNew(t testing.TB, seen map[string]bool) {
	for name, src := range w.model.sources {
		if !seen[name] {
			o := read(t, "apiVersion: shop.example/v1\nkind: Source\nmetadata:\n  name: "+name+"\n  namespace: shop\n")[0]
			o.SetPath("source/"+name+".yaml", 0)
			write(o, src.spec, src.labels, "")
			w.items = append(w.items, o)
		}
	}
	for name, password := range w.model.origins {
		if !seen["origin "+name] {
			o := read(t, fmt.Sprintf("apiVersion: v1\nkind: Secret\nmetadata:\n  name: %s\n  namespace: copies\ndata: {password: %q}\n", name, password))[0]
			o.SetPath("destination/secret-"+name+".yaml", 0)
			w.items = append(w.items, o)
		}
	}
}

// write sets spec, labels, and the Secret that the status names, if any; labels of sync stay.
func write(o *krm.Object, spec, labels map[string]string, secret string) {
	set := func(at string, m map[string]string) {
		node := krm.MapNode()
		for _, k := range slices.Sorted(keysOf(m)) {
			node.Content = append(node.Content, krm.StringNode(k), krm.StringNode(m[k]))
		}
		if at == "spec" {
			krm.SetField(o.Node(), "spec", node)
			return
		}
		for k, v := range o.Labels() {
			if strings.HasPrefix(k, "waybill.dev/") {
				node.Content = append(node.Content, krm.StringNode(k), krm.StringNode(v))
			}
		}
		krm.SetField(o.Lookup("metadata"), "labels", node)
	}
	set("spec", spec)
	set("labels", labels)
	if secret != "" {
		krm.SetField(o.Node(), "status", krm.MapNode(krm.StringNode("secret"), krm.StringNode(secret)))
	}
}

func keysOf(m map[string]string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// lines describes the model; linesOf describes items in the same words.
func (n *naive) lines() []string {
	var out []string
	for name, s := range n.sources {
		status := s.status
		if status == "" || s.deleting {
			status = "-"
		}
		out = append(out, line("source", name, s.spec, s.labels, "")+statusOf(s.deleting, status))
	}
	for name, c := range n.copies {
		out = append(out, line("copy", name, c.spec, c.labels, c.status))
	}
	for name, s := range n.secrets {
		out = append(out, "secret "+name+" "+s.password)
	}
	slices.Sort(out)
	return out
}

// statusOf leaves out the status of an object that is being deleted, which is not written any more.
func statusOf(deleting bool, status string) string {
	if deleting {
		return " deleting"
	}
	return " " + status
}

func line(what, name string, spec, labels map[string]string, status string) string {
	data, err := json.Marshal([]any{spec, labels})
	if err != nil {
		panic(err)
	}
	return what + " " + name + " " + string(data) + status
}

func linesOf(items []*krm.Object) []string {
	var out []string
	for _, o := range items {
		spec, labels := map[string]string{}, map[string]string{}
		if m := o.Lookup("spec"); m != nil {
			for i := 0; i+1 < len(m.Content); i += 2 {
				spec[m.Content[i].Value] = m.Content[i+1].Value
			}
		}
		for k, v := range o.Labels() {
			if !strings.HasPrefix(k, "waybill.dev/") {
				labels[k] = v
			}
		}
		status := o.String("status", "secret")
		switch {
		case o.Kind() == "Source":
			deleting := o.String("metadata", "deletionTimestamp") != ""
			if status == "" {
				status = "-"
			}
			out = append(out, line("source", o.Name(), spec, labels, "")+statusOf(deleting, status))
		case o.Kind() == "Copy":
			out = append(out, line("copy", o.Name(), spec, labels, status))
		case o.Kind() == "Secret" && o.Namespace() == "shop":
			out = append(out, "secret "+o.Name()+" "+o.String("data", "password"))
		}
	}
	slices.Sort(out)
	return out
}
