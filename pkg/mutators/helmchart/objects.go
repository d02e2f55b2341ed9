package helmchart

import (
	"fmt"
	"path"
	"strings"

	"github.com/waybill-dev/waybill/pkg/fn"
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
	if err := checkObject(o); err != nil {
		return fmt.Errorf("%s: it renders %w", m.File, err)
	}
	file := path.Join(r.folder, outputFolder, r.name, o.Namespace(), fileName(o.Kind()+"_"+o.Name())+".yaml")
	if r.next == nil {
		r.next = map[string]int{}
	}
	if o.WideSequences { // what calls the function in another process sees no source
		o.SetAnnotation(krm.SeqIndentAnnotation, o.SequenceStyle())
	}
	o.Source = krm.Source{}
	o.SetPath(file, r.next[file])
	r.next[file]++
	r.objects = append(r.objects, o)
	return nil
}

// checkObject reports what cannot be an object of a package.
func checkObject(o *krm.Object) error {
	for _, f := range []struct{ name, value string }{{"apiVersion", o.APIVersion()}, {"kind", o.Kind()}, {"metadata.name", o.Name()}} {
		if f.value == "" {
			return fmt.Errorf("a document without %s; a package holds only objects", f.name)
		}
	}
	switch ns := o.Namespace(); {
	case ns != "" && (strings.Contains(ns, "/") || !fn.IsFilePath(ns)):
		return fmt.Errorf("%s: metadata.namespace is no name of a namespace, and the object's file lies in a folder of that name", o.Describe())
	case o.Is("kpt.dev", "Kptfile"):
		return fmt.Errorf("%s, which would make a package of its folder", o.Describe())
	}
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
