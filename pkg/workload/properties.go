package workload

import (
	"encoding/base64"
	"errors"
	"maps"
	"slices"

	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// inventorySpec is the spec of a fn.waybill.dev Inventory.
type inventorySpec struct {
	Clusters []struct {
		Name        string            `json:"name"`
		Labels      map[string]string `json:"labels,omitempty"`
		Annotations map[string]string `json:"annotations,omitempty"`
		Properties  map[string]string `json:"properties,omitempty"`
	} `json:"clusters"`
}

// addAll files the clusters of an Inventory.
func (r *inventoryReader) addAll(o *krm.Object) {
	if o.Version() != fn.ConfigVersion {
		r.fail(o, field.NewPath("apiVersion"), "want %s/%s", fn.ConfigGroup, fn.ConfigVersion)
		return
	}
	at, spec := field.NewPath("spec"), inventorySpec{}
	n := o.Lookup("spec")
	if n == nil {
		r.fail(o, at, "an Inventory needs a spec with clusters")
		return
	}
	if err := krm.DecodeNode(n, at, &spec); err != nil {
		r.failAll(o, at, err)
		return
	}
	for i, c := range spec.Clusters {
		r.add(Cluster{Name: c.Name, Labels: c.Labels, Annotations: c.Annotations, Data: c.Properties, Object: o},
			at.Child("clusters").Index(i).Child("name"))
	}
}

func (r *inventoryReader) addProperties(o *krm.Object) {
	if first, twice := r.properties[o.Name()]; twice {
		r.fail(o, field.NewPath("metadata", "name"), "cluster %q has two ConfigMaps of properties, also %s", o.Name(), first.Describe())
		return
	}
	r.properties[o.Name()] = o
}

// fill gives c the properties that ConfigMap o holds. A property that an Inventory gives too is an
// error: neither source outranks the other.
func (r *inventoryReader) fill(c *Cluster, o *krm.Object) {
	var data map[string]string
	r.decode(o, "data", &data)
	if c.Data == nil {
		c.Data = data
	} else {
		c.Data = maps.Clone(c.Data)
	}
	for _, key := range slices.Sorted(maps.Keys(data)) {
		if old, twice := c.Data[key]; twice && old != data[key] {
			r.fail(o, field.NewPath("data").Key(key), "property %q of cluster %q differs in %s", key, c.Name, c.Object.Describe())
		}
		c.Data[key] = data[key]
	}
	r.fillBinary(c, o)
}

// fillBinary decodes base64 here: who decodes it on the way calls anything else a list of bytes.
func (r *inventoryReader) fillBinary(c *Cluster, o *krm.Object) {
	var encoded map[string]string
	r.decode(o, "binaryData", &encoded)
	if len(encoded) > 0 {
		c.BinaryData = map[string][]byte{}
	}
	for _, key := range slices.Sorted(maps.Keys(encoded)) {
		value, err := base64.StdEncoding.DecodeString(encoded[key])
		if err != nil {
			r.fail(o, field.NewPath("binaryData").Key(key), "want base64: %v", err)
		}
		c.BinaryData[key] = value
	}
}

// decode reads a field of a ConfigMap, when it is there.
func (r *inventoryReader) decode(o *krm.Object, name string, out any) {
	n := o.Lookup(name)
	if n == nil {
		return
	}
	at := field.NewPath(name)
	if err := krm.DecodeLoose(n, at, out); err != nil {
		r.failAll(o, at, err)
	}
}

// failAll reports every fault that err joins, each at its own field.
func (r *inventoryReader) failAll(o *krm.Object, at *field.Path, err error) {
	var many utilerrors.Aggregate
	if errors.As(err, &many) {
		for _, e := range many.Errors() {
			r.failAll(o, at, e)
		}
		return
	}
	var one *field.Error
	if !errors.As(err, &one) {
		r.fail(o, at, "%v", err)
		return
	}
	r.fail(o, at, "%v", one)
	r.faults[len(r.faults)-1].Field.Path = one.Field
}
