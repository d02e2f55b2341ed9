package publish

import (
	"fmt"
	"path"
	"strings"

	"github.com/waybill-dev/waybill/pkg/fleet"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// Annotations by which Flux's kustomize-controller does with an object what the work asks of OCM's agent.
const (
	fluxPrune = "kustomize.toolkit.fluxcd.io/prune" // "disabled": the object stays when it leaves the artifact
	fluxApply = "kustomize.toolkit.fluxcd.io/ssa"   // "IfNotPresent": the object is created and never updated
)

// objectFiles are the objects that a cluster receives, each in a file.
func objectFiles(all []fleet.Delivery) (files, error) {
	out, from := files{}, map[string]*fleet.Delivery{}
	for i := range all {
		d := &all[i]
		if d.Itself || d.HandOver {
			continue
		}
		id, err := d.Content.ID()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", d.File, err)
		}
		if id.Kind == "" || id.Name == "" {
			return nil, fmt.Errorf("%s: an object has no kind or no metadata.name", d.File)
		}
		if d.Settings().ReadOnly(id) { // the agent only watches it
			continue
		}
		text, err := textOf(d, id)
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", d.File, id.Title(), err)
		}
		p := fileOf(id)
		if other := from[p]; other != nil && string(out[p].Data()) != string(text) {
			return nil, fmt.Errorf("%s is in %s and in %s, and differs: an artifact of objects can have it once; "+
				"let one policy deliver it, or publish works", id.Title(), other.File, d.File)
		}
		out[p], from[p] = pkgtree.NewBlob(text), d
	}
	return out, nil
}

// textOf is the text of an object, with what the work says about it as annotations.
func textOf(d *fleet.Delivery, id krm.ID) ([]byte, error) {
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

// fileOf is where the object lies: <namespace>/<kind>.<group>_<name>.yaml. No name is one that kustomize or Flux treat as special.
func fileOf(id krm.ID) string {
	kind := strings.TrimSuffix(strings.ToLower(id.Kind)+"."+id.Group, ".")
	return path.Join(escape(id.Namespace), kind+"_"+escape(id.Name)+".yaml")
}

// escape replaces the colon, which names of RBAC objects have and file names on Windows must not.
func escape(name string) string {
	return strings.NewReplacer("%", "%25", ":", "%3A", "/", "%2F").Replace(name)
}
