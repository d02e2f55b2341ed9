package functions

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	kyaml "sigs.k8s.io/kustomize/kyaml/yaml"
	"sigs.k8s.io/yaml"

	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/workload"
)

const expandTemplates = "control.kubestellar.io/expand-templates"

// realItems reads the workload in a folder and the folders below. Lists become what they hold, as kpt
// wants it; what asks for templates does so no more.
func realItems(t *testing.T, folder string) (items []*krm.Object) {
	t.Helper()
	err := filepath.WalkDir(folder, func(file string, _ os.DirEntry, err error) error {
		if err != nil || filepath.Ext(file) != ".yaml" {
			return err
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(folder, file)
		for _, o := range flatten(fntest.Parse(t, name, data)) {
			if workload.IsWorkload(o) && o.Group() != "control.kubestellar.io" {
				o.RemoveAnnotations(func(key string) bool { return key == expandTemplates })
				o.SetPath(name, len(items))
				items = append(items, o)
			}
		}
		return nil
	})
	if err != nil || len(items) == 0 {
		t.Fatalf("%s: %d objects (%v)", folder, len(items), err)
	}
	return items
}

func flatten(objs []*krm.Object) (flat []*krm.Object) {
	for _, o := range objs {
		list := o.Lookup("items")
		if !strings.HasSuffix(o.Kind(), "List") || list == nil {
			flat = append(flat, o)
			continue
		}
		for _, item := range list.Content {
			flat = append(flat, krm.FromNode(item))
		}
	}
	return flat
}

// shippedSize is what an object counts in a work: the JSON that Go writes for it, without what the
// server owns, and a newline.
func shippedSize(t *testing.T, o *krm.Object) int {
	t.Helper()
	text, err := krm.Write([]*krm.Object{o})
	if err != nil {
		t.Fatal(err)
	}
	var v map[string]any
	if err := yaml.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	delete(v, "status")
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return len(data) + 1
}

// hasBraces finds ConfigMaps that hold the templates of alert rules and dashboards, which look like
// ours and are not.
func hasBraces(o *krm.Object) bool {
	if !o.Is("", "ConfigMap") || o.Lookup("data") == nil {
		return false
	}
	return slices.ContainsFunc(o.Lookup("data").Content, func(n *kyaml.Node) bool { return strings.Contains(n.Value, "{{") })
}

// optIn asks for templates to be filled in those ConfigMaps.
func optIn(items []*krm.Object) []*krm.Object {
	items = slices.Clone(items)
	for i, o := range items {
		if hasBraces(o) {
			items[i] = o.DeepCopy()
			items[i].SetAnnotation(expandTemplates, "true")
		}
	}
	return items
}
