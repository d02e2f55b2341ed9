package mapcontroller

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/validate/content"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// prepareOutput prepares an output of a hook for the engine, or says why it cannot be one.
func (p *reconciler) prepareOutput(par *parent, g *applyset.Group, o *krm.Object) error {
	if err := p.completeOutput(par, o); err != nil {
		return err
	}
	for _, part := range []string{"labels", "annotations"} {
		if err := checkStrings(o.Lookup("metadata", part), "metadata."+part); err != nil {
			return err
		}
	}
	of, namespace := find(p.c.outputs, o.Group(), o.Kind()), workload.NamespaceIn(p.c.types, o)
	switch {
	case of == nil || of.APIVersion != o.APIVersion():
		return fmt.Errorf("%s of %s is not an output type", o.Kind(), o.APIVersion())
	case of.known && !of.Namespaced && o.Namespace() != "":
		return fmt.Errorf("a %s has no namespace", o.Kind())
	case !par.sees(namespace):
		return fmt.Errorf("%s %s is in another namespace than its parent", o.Kind(), o.Name())
	}
	o.RemoveAnnotations(krm.BelongsToPackage)
	o.Source = krm.Source{File: "map/" + p.c.name + "/" + par.item.Name() + "/" + g.MapKey + ".yaml"}
	return nil
}

// completeOutput checks the identity of an object that a hook gave and sets the parent's namespace if it has none.
func (p *reconciler) completeOutput(par *parent, o *krm.Object) error {
	for _, at := range [][]string{{"apiVersion"}, {"kind"}, {"metadata", "name"}, {"metadata", "namespace"}} {
		n := o.Lookup(at...)
		switch optional := at[len(at)-1] == "namespace"; {
		case n == nil && optional:
		case n == nil || n.Kind != yaml.ScalarNode || n.ShortTag() != yaml.NodeTagString || n.Value == "" && !optional:
			return fmt.Errorf("its %s is not a string", strings.Join(at, "."))
		}
	}
	res := p.c.types.Lookup(o.Group(), o.Kind())
	if o.Namespace() == "" && par.namespace != "" && (res.Namespaced || !res.Known) {
		setNamespace(o.Lookup("metadata"), par.namespace)
	}
	return nil
}

// setNamespace inserts a namespace after the name.
func setNamespace(metadata *yaml.Node, namespace string) {
	krm.RemoveField(metadata, "namespace") // it may be there, and empty
	for i := 0; i+1 < len(metadata.Content); i += 2 {
		if metadata.Content[i].Value == "name" {
			metadata.Content = slices.Insert(metadata.Content, i+2, krm.StringNode("namespace"), krm.StringNode(namespace))
			return
		}
	}
}

// checkStrings accepts a map of strings, null or nothing.
func checkStrings(n *yaml.Node, name string) error {
	if n == nil || n.ShortTag() == yaml.NodeTagNull {
		return nil
	}
	if n.Kind != yaml.MappingNode {
		return fmt.Errorf("its %s is not a map", name)
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if v := krm.Deref(n.Content[i+1]); v.Kind != yaml.ScalarNode || v.ShortTag() != yaml.NodeTagString {
			return fmt.Errorf("its %s[%s] is not a string", name, truncate(n.Content[i].Value))
		}
	}
	return nil
}

// maxFolder limits the name of a folder, in bytes.
const maxFolder = 255

// checkFolder says why a parent's name cannot be the name of the folder of its outputs.
func checkFolder(name string) error {
	switch {
	case len(content.IsPathSegmentName(name)) > 0, strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\\' }):
		return errors.New(`its name cannot be the name of the folder of its outputs: ` +
			`it is "." or "..", or has a "/", "%", "\" or control character`)
	case len(name) > maxFolder:
		return fmt.Errorf("its name cannot be the name of the folder of its outputs: it is longer than %d bytes", maxFolder)
	}
	return nil
}
