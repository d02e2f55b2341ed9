package publish

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/fleet"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// Annotations by which Flux's kustomize-controller does with an object what the work asks of OCM's agent.
const (
	fluxPrune = "kustomize.toolkit.fluxcd.io/prune" // "disabled": the object stays when it leaves the artifact
	fluxApply = "kustomize.toolkit.fluxcd.io/ssa"   // "IfNotPresent": the object is created and never updated; "Ignore": it is left alone
)

// objectFiles are the objects that a cluster receives, each in a file.
func objectFiles(all []fleet.Delivery) (files, error) {
	out, from := files{}, map[string]*fleet.Delivery{}
	watched := files{}
	for i := range all {
		d := &all[i]
		if d.Itself || d.HandOver {
			continue
		}
		if err := d.Settings().Err(); err != nil { // it may say that objects stay
			return nil, fmt.Errorf("%s: work %q: deleteOption or manifestConfigs: %w", d.File, d.Work, err)
		}
		id, err := d.Content.ID()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", d.File, err)
		}
		if id.Kind == "" || id.Name == "" {
			return nil, fmt.Errorf("%s: an object has no kind or no metadata.name", d.File)
		}
		text, err := textOf(d, id)
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", d.File, id.Title(), err)
		}
		p := fileOf(id)
		if d.Settings().ReadOnly(id) {
			watched[p] = pkgtree.NewBlob(text)
			continue
		}
		if other := from[p]; other != nil && string(out[p].Data()) != string(text) {
			return nil, fmt.Errorf("%s is in %s and in %s, and differs: an artifact of objects can have it once; "+
				"let one policy deliver it, or publish works", id.Title(), other.File, d.File)
		}
		out[p], from[p] = pkgtree.NewBlob(text), d
	}
	maps.Copy(watched, out)
	return watched, nil
}

// textOf is the text of an object, with what the work says about it as annotations. Of an object that the agent only watches it is the
// name: Flux would delete an object that it applied before and that is not there.
func textOf(d *fleet.Delivery, id krm.ID) ([]byte, error) {
	if d.Settings().ReadOnly(id) {
		return nameOf(d)
	}
	orphan, create := d.Settings().Orphans(id), d.Settings().CreateOnly(id)
	if !orphan && !create {
		return d.Content.YAML(), nil
	}
	o, err := d.Content.Object()
	if err != nil {
		return nil, err
	}
	if orphan {
		o.SetAnnotation(fluxPrune, "disabled")
	}
	if create {
		o.SetAnnotation(fluxApply, "IfNotPresent")
	}
	return krm.WriteRaw(o)
}

// nameOf is the text of an object that Flux leaves alone: what identifies it.
func nameOf(d *fleet.Delivery) ([]byte, error) {
	o, err := d.Content.Object()
	if err != nil {
		return nil, err
	}
	keepFields(o.Node(), "apiVersion", "kind", "metadata")
	keepFields(o.Lookup("metadata"), "namespace", "name")
	o.SetAnnotation(fluxApply, "Ignore")
	return krm.WriteRaw(o)
}

func keepFields(n *yaml.Node, names ...string) {
	for _, name := range krm.FieldNames(n) {
		if !slices.Contains(names, name) {
			krm.RemoveField(n, name)
		}
	}
}

// fileOf is where the object lies: <namespace>/<kind>.<group>_<name>.yaml. No name is one that kustomize or Flux treat as special.
func fileOf(id krm.ID) string {
	kind := strings.TrimSuffix(strings.ToLower(id.Kind)+"."+id.Group, ".")
	name := kind + "_" + escape(id.Name)
	if len(name) > maxName { // what unpacks the artifact has files of at most 255 bytes
		name = fmt.Sprintf("%s_%x", name[:maxName-65], sha256.Sum256([]byte(name)))
	}
	return path.Join(escape(id.Namespace), name+".yaml")
}

const maxName = 240

// escape replaces the colon, which names of RBAC objects have and file names on Windows must not.
func escape(name string) string {
	return strings.NewReplacer("%", "%25", ":", "%3A", "/", "%2F").Replace(name)
}
