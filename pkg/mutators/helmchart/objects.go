package helmchart

import (
	"fmt"
	"path"
	"strings"

	"github.com/waybill-dev/waybill/pkg/helm/chart"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// outputFolder is where the objects of a config lie, in a folder of its name.
const outputFolder = "helm"

// add adds the objects of a manifest.
func (r *release) add(m chart.Manifest) (err error) {
	for _, o := range m.Objects {
		if o.Kind() == "List" && o.APIVersion() == "v1" {
			err = r.addList(m, o)
		} else {
			err = r.addObject(m, o)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// addList adds the objects in a List.
func (r *release) addList(m chart.Manifest, list *krm.Object) error {
	items := list.Lookup("items")
	if items == nil || krm.IsNull(items) {
		return nil
	}
	if !krm.IsList(items) {
		return fmt.Errorf("%s: line %d: items is no list", m.File, list.Source.Line)
	}
	for _, n := range items.Content {
		if !krm.IsMap(krm.Deref(n)) {
			return fmt.Errorf("%s: line %d: items want objects", m.File, n.Line)
		}
		if err := r.addObject(m, krm.FromNode(krm.SelfContained(krm.Deref(n)))); err != nil {
			return err
		}
	}
	return nil
}

// addObject adds an object, in a file of its kind and name.
func (r *release) addObject(m chart.Manifest, o *krm.Object) error {
	for _, f := range []struct{ name, value string }{{"apiVersion", o.APIVersion()}, {"kind", o.Kind()}, {"metadata.name", o.Name()}} {
		if f.value == "" {
			return fmt.Errorf("%s: it renders a document without %s; a package holds only objects", m.File, f.name)
		}
	}
	file := path.Join(r.folder, outputFolder, r.name, o.Namespace(), fileName(o.Kind()+"_"+o.Name())+".yaml")
	if r.next == nil {
		r.next = map[string]int{}
	}
	o.Source = krm.Source{}
	o.SetPath(file, r.next[file])
	r.next[file]++
	r.objects = append(r.objects, o)
	return nil
}

// fileName is a name in lower case, with "_" for what file systems do not like, such as the colon in system:node.
func fileName(name string) string {
	return strings.Map(func(c rune) rune {
		if strings.ContainsRune(`/\:*?"<>| `, c) || c < ' ' {
			return '_'
		}
		return c
	}, strings.ToLower(name))
}
