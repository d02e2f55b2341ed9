package library

import (
	star "go.starlark.net/starlark"
)

// matchGVK is match_gvk(object, apiVersion, kind).
func matchGVK(h Host, b *star.Builtin, args star.Tuple, kwargs []star.Tuple) (star.Value, error) {
	return matches(h, b, args, kwargs, []string{"apiVersion"}, []string{"kind"})
}

// matchName is match_name(object, name).
func matchName(h Host, b *star.Builtin, args star.Tuple, kwargs []star.Tuple) (star.Value, error) {
	return matches(h, b, args, kwargs, []string{"metadata", "name"})
}

// matchNamespace is match_namespace(object, namespace).
func matchNamespace(h Host, b *star.Builtin, args star.Tuple, kwargs []star.Tuple) (star.Value, error) {
	return matches(h, b, args, kwargs, []string{"metadata", "namespace"})
}

// matches compares the fields of an object at the paths with the arguments that follow it.
func matches(h Host, b *star.Builtin, args star.Tuple, kwargs []star.Tuple, paths ...[]string) (star.Value, error) {
	var object *star.Dict
	wanted := make([]string, len(paths))
	into := []any{&object}
	for i := range wanted {
		into = append(into, &wanted[i])
	}
	if err := star.UnpackPositionalArgs(b.Name(), args, kwargs, len(into), into...); err != nil {
		return nil, err
	}
	for i, path := range paths {
		if err := h.Pay(small + len(wanted[i])); err != nil {
			return nil, err
		}
		if textAt(object, path) != wanted[i] {
			return star.False, nil
		}
	}
	return star.True, nil
}

// textAt is the text at path below v, "" when there is none.
func textAt(v star.Value, path []string) string {
	for _, step := range path {
		d, ok := v.(*star.Dict)
		if !ok {
			return ""
		}
		v, _, _ = d.Get(star.String(step))
	}
	text, _ := star.AsString(v)
	return text
}
