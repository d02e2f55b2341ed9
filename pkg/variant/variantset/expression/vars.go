package expression

import (
	"github.com/google/cel-go/common/types"

	"github.com/waybill-dev/waybill/pkg/cel"
)

// Value is a variable that is more than a text. The zero Value is not there: to ask for it is an
// error.
type Value struct{ fields any }

// Object is what expressions see of an object: nothing but this.
type Object struct {
	Name, Namespace     string
	Labels, Annotations map[string]string
}

// Of makes a Value of an object. The object's maps must not change afterwards.
func Of(o Object) Value {
	return fields(map[string]any{
		"name": o.Name, "namespace": o.Namespace,
		"labels":      types.NewStringStringMap(types.DefaultTypeAdapter, o.Labels),
		"annotations": types.NewStringStringMap(types.DefaultTypeAdapter, o.Annotations),
	})
}

// OfPackage makes a Value of a repository and a package that a set names literally.
func OfPackage(repo, pkg string) Value {
	return fields(map[string]any{"repo": repo, "package": pkg})
}

func fields(m map[string]any) Value {
	return Value{types.NewStringInterfaceMap(types.DefaultTypeAdapter, m)}
}

// Vars are the variables of an expression.
type Vars struct {
	RepoDefault, PackageDefault  string
	Upstream, Target, Repository Value
	cel.Meter
}

// ResolveName implements the library's Activation.
func (v *Vars) ResolveName(name string) (any, bool) {
	var value Value
	switch name {
	case "repoDefault":
		return v.RepoDefault, true
	case "packageDefault":
		return v.PackageDefault, true
	case "upstream":
		value = v.Upstream
	case "target":
		value = v.Target
	case "repository":
		value = v.Repository
	default:
		return v.Meter.ResolveName(name)
	}
	return value.fields, value.fields != nil
}
