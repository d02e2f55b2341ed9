package edit

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/api/filters/fieldspec"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/resid"
	"sigs.k8s.io/kustomize/kyaml/utils"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// FieldSpec names a field of the objects of a group, version and kind, each of which may be left
// out, the way kustomize does: path elements are separated by "/" (a "/" inside one is written
// "\/"), and lists are entered without being named, or named as "field[]".
type FieldSpec struct {
	Group   string `json:"group"`
	Version string `json:"version"`
	Kind    string `json:"kind"`
	Path    string `json:"path"`
	Create  bool   `json:"create"`
}

// mostSteps keeps a path that is created far from the depth at which objects can no longer be read.
const mostSteps = 50

// mostFields bounds the fields that are searched in every object.
const mostFields = 1000

// Validate reports the faults of f, whose path is at.
func (f FieldSpec) Validate(at *field.Path) field.ErrorList {
	at = at.Child("path")
	if f.Path == "" {
		return field.ErrorList{field.Required(at, "name a field, such as spec/template/metadata")}
	}
	steps := utils.PathSplitter(f.Path, "/")
	switch {
	case len(steps) > mostSteps:
		return field.ErrorList{field.Invalid(at, field.OmitValueType{},
			fmt.Sprintf("has %d steps, more than the %d allowed", len(steps), mostSteps))}
	case slices.Contains(steps, "") || slices.Contains(steps, "[]"):
		return field.ErrorList{field.Invalid(at, f.Path, "has a step without a name")}
	}
	return nil
}

// ValidateFields reports the faults of fields, a list whose path is at.
func ValidateFields(fields []FieldSpec, at *field.Path) (errs field.ErrorList) {
	if len(fields) > mostFields {
		return field.ErrorList{field.TooMany(at, len(fields), mostFields)}
	}
	for i, f := range fields {
		errs = append(errs, f.Validate(at.Index(i))...)
	}
	return errs
}

// ValidateOldName reports the faults of fields that are given by the old name of an option: not both names.
func ValidateOldName(old []FieldSpec, oldName string, fields []FieldSpec, name string) field.ErrorList {
	errs := ValidateFields(old, field.NewPath(oldName))
	if len(old) > 0 && len(fields) > 0 {
		errs = append(errs, field.Forbidden(field.NewPath(oldName), "is the old name of "+name+"; give one of them"))
	}
	return errs
}

// Specs are fields as kustomize's filters take them.
func Specs(fields []FieldSpec) types.FsSlice {
	out := make(types.FsSlice, len(fields))
	for i, f := range fields {
		out[i] = types.FieldSpec{Gvk: resid.Gvk{Group: f.Group, Version: f.Version, Kind: f.Kind}, Path: f.Path, CreateIfNotPresent: f.Create}
	}
	return out
}

// AtFields calls set on every node of o that specs name; a spec with CreateIfNotPresent creates missing fields, the last
// one with the given kind of node. An error names the field (FieldError). It checks ctx between two specs: an object may be
// large, and specs many.
func AtFields(ctx context.Context, o *yaml.RNode, specs types.FsSlice, kind yaml.Kind, set func(*yaml.RNode) error) error {
	tag := yaml.NodeTagString
	if kind == yaml.MappingNode {
		tag = yaml.NodeTagMap
	}
	own := o.GetKind()
	for _, s := range specs {
		if s.Kind != "" && s.Kind != own { // skip most specs cheaply
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		var cause error
		err := o.PipeE(fieldspec.Filter{FieldSpec: s, CreateKind: kind, CreateTag: tag, SetValue: func(n *yaml.RNode) error {
			cause = set(n)
			return cause
		}})
		switch {
		case errors.Is(cause, errSharedOut):
			return cause
		case cause != nil:
			return below(dotted(s.Path), cause)
		case err != nil: // kustomize's message quotes the object
			return Fault(dotted(s.Path), "a field on the path is neither map nor list")
		}
	}
	return nil
}

// dotted is the path of a spec in the form of results.
func dotted(path string) string { return strings.Join(utils.PathSplitter(path, "/"), ".") }

// PodSpecs are Kubernetes' kinds that hold the spec of a pod, and its path. The group is left out for kinds that were in
// several.
var PodSpecs = []struct{ Group, Kind, Path string }{
	{"", "Pod", "spec"},
	{"", "PodTemplate", "template/spec"},
	{"", "ReplicationController", "spec/template/spec"},
	{"", "Deployment", "spec/template/spec"},
	{"", "ReplicaSet", "spec/template/spec"},
	{"", "DaemonSet", "spec/template/spec"},
	{"", "StatefulSet", "spec/template/spec"},
	{"batch", "Job", "spec/template/spec"},
	{"batch", "CronJob", "spec/jobTemplate/spec/template/spec"},
}
