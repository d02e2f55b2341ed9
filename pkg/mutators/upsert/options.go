package upsert

import (
	"path"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mutators/edit"
)

// readResources returns the objects to add: the items of a List, the resources of an
// UpsertResource in our group, or else the config itself.
func readResources(config *krm.Object) ([]*krm.Object, error) {
	if config == nil {
		return nil, field.Required(field.NewPath("functionConfig"), "give the object to add, a List of them, or an "+configKind)
	}
	c := edit.Copy(config)
	c.WideSequences = config.WideSequences
	switch {
	case config.Is(fn.ConfigGroup, configKind) && config.Version() == fn.ConfigVersion:
		if errs := fn.UnknownFields(c, "objects belong under resources", "resources"); len(errs) > 0 {
			return nil, errs.ToAggregate()
		}
		return readList(c, "resources")
	case config.Kind() == "List":
		return readList(c, "items")
	}
	return []*krm.Object{c}, checkObject(c.Node(), nil).ToAggregate()
}

func readList(config *krm.Object, name string) (out []*krm.Object, err error) {
	at, list := field.NewPath(name), config.Lookup(name)
	if list == nil || krm.IsNull(list) {
		return nil, nil
	}
	if list.Kind != yaml.SequenceNode {
		return nil, field.TypeInvalid(at, field.OmitValueType{}, "want a list of objects")
	}
	var errs field.ErrorList
	for i, n := range list.Content {
		e := checkObject(n, at.Index(i))
		if errs = append(errs, e...); len(e) > 0 {
			continue
		}
		o := krm.FromNode(n)
		o.WideSequences = config.WideSequences
		out = append(out, o)
	}
	return out, errs.ToAggregate()
}

// checkObject reports the required fields of an object that n lacks.
func checkObject(n *yaml.Node, at *field.Path) (errs field.ErrorList) {
	if n.Kind != yaml.MappingNode {
		return field.ErrorList{field.TypeInvalid(at, field.OmitValueType{}, "want an object")}
	}
	for _, name := range [][]string{{"apiVersion"}, {"kind"}, {"metadata", "name"}} {
		if v := krm.Lookup(n, name...); !edit.IsText(v) {
			errs = append(errs, field.Required(at.Child(name[0], name[1:]...), "every object of a package has one"))
		}
	}
	return append(errs, checkTarget(n, at)...)
}

// checkTarget refuses a Kptfile as a target: it holds one object only.
func checkTarget(n *yaml.Node, at *field.Path) field.ErrorList {
	target := krm.FromNode(n).Annotation(targetAnnotation)
	if path.Base(path.Clean(target)) != kptfile {
		return nil
	}
	return field.ErrorList{field.Invalid(at.Child("metadata", "annotations").Key(targetAnnotation), target,
		"a Kptfile holds nothing but the Kptfile; name another file")}
}

const kptfile = "Kptfile"
