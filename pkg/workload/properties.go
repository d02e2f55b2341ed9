package workload

import (
	"encoding/base64"
	"errors"
	"maps"
	"slices"

	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

func (r *inventoryReader) addProperties(o *krm.Object) {
	if first, twice := r.properties[o.Name()]; twice {
		r.fail(o, field.NewPath("metadata", "name"), "cluster %q has two ConfigMaps of properties, also %s", o.Name(), first.Describe())
		return
	}
	r.properties[o.Name()] = o
}

// fill gives c the properties in ConfigMap o. A property that an Inventory has, too, with another value, is an
// error: neither source has priority.
func (r *inventoryReader) fill(c *Cluster, o *krm.Object) {
	data := r.mapOf(o, "data")
	if c.Data == nil {
		c.Data = data
	} else {
		c.Data = maps.Clone(c.Data)
	}
	for _, key := range slices.Sorted(maps.Keys(data)) {
		if old, twice := c.Data[key]; twice && old != data[key] && data[key] != unreadable {
			r.fail(o, field.NewPath("data").Key(key), "property %q of cluster %q differs in %s", key, c.Name, c.Object.Describe())
		}
		c.Data[key] = data[key]
	}
	r.fillBinary(c, o)
}

// fillBinary decodes base64 itself: the message of a decoder of ConfigMaps would speak of a list of bytes.
func (r *inventoryReader) fillBinary(c *Cluster, o *krm.Object) {
	encoded := r.mapOf(o, "binaryData")
	if len(encoded) > 0 {
		c.BinaryData = map[string][]byte{}
	}
	for _, key := range slices.Sorted(maps.Keys(encoded)) {
		value, err := base64.StdEncoding.DecodeString(encoded[key])
		if err != nil && encoded[key] != unreadable {
			r.fail(o, field.NewPath("binaryData").Key(key), "want base64: %v", err)
		}
		if err != nil {
			value = []byte(unreadable)
		}
		c.BinaryData[key] = value
	}
}

// unreadable is the value of a property with an error, so that templates that use the property do not have
// another error.
const unreadable = "\uFFFD"

// mapOf is a map of a ConfigMap; nil if it has none. It reports values that are not text, and makes them
// unreadable.
func (r *inventoryReader) mapOf(o *krm.Object, name string) (out map[string]string) {
	n := o.Lookup(name)
	if n == nil {
		return nil
	}
	at := field.NewPath(name)
	err := krm.DecodeLoose(n, at, &out)
	if err == nil {
		return out
	}
	r.failAll(o, at, err)
	if out = map[string]string{}; n.Kind != yaml.MappingNode {
		return out
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i].Value
		if out[key], err = text(krm.Deref(n.Content[i+1]), at.Key(key)); err != nil {
			out[key] = unreadable
		}
	}
	return out
}

// failAll reports every error in err, each at its field.
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
