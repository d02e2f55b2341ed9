package control

import (
	"errors"
	"maps"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// operators are those a LabelSelector may use, as written.
var operators = map[metav1.LabelSelectorOperator]selection.Operator{
	metav1.LabelSelectorOpIn:           selection.In,
	metav1.LabelSelectorOpNotIn:        selection.NotIn,
	metav1.LabelSelectorOpExists:       selection.Exists,
	metav1.LabelSelectorOpDoesNotExist: selection.DoesNotExist,
}

// CompileSelector compiles a LabelSelector. The empty one matches everything. Every fault is reported at
// its path below at; with any fault the Selector is nil.
func CompileSelector(s *metav1.LabelSelector, at *field.Path) (labels.Selector, field.ErrorList) {
	var errs field.ErrorList
	var reqs []labels.Requirement
	add := func(key string, op selection.Operator, values []string, at *field.Path) (faults field.ErrorList) {
		r, err := labels.NewRequirement(key, op, values, field.WithPath(at))
		if err != nil {
			return fieldErrors(err)
		}
		reqs = append(reqs, *r)
		return nil
	}
	for _, key := range slices.Sorted(maps.Keys(s.MatchLabels)) {
		at := at.Child("matchLabels").Key(key)
		for _, fault := range add(key, selection.In, []string{s.MatchLabels[key]}, at) {
			fault.Field = at.String() // this value is in no list
			errs = append(errs, fault)
		}
	}
	for i, e := range s.MatchExpressions {
		at := at.Child("matchExpressions").Index(i)
		op, known := operators[e.Operator]
		switch {
		case e.Key == "":
			errs = append(errs, field.Required(at.Child("key"), "name a label"))
		case e.Operator == "":
			errs = append(errs, field.Required(at.Child("operator"), "want In, NotIn, Exists or DoesNotExist"))
		case !known:
			errs = append(errs, field.NotSupported(at.Child("operator"), e.Operator, slices.Sorted(maps.Keys(operators))))
		default:
			for _, fault := range add(e.Key, op, e.Values, at) {
				fault.Field = strings.TrimSuffix(fault.Field, "["+e.Key+"]") // the library's, below values[i]
				errs = append(errs, fault)
			}
		}
	}
	if len(errs) > 0 {
		return nil, errs
	}
	return labels.NewSelector().Add(reqs...), nil
}

// CompileSelectors is CompileSelector for a list.
func CompileSelectors(list []metav1.LabelSelector, at *field.Path) (out []labels.Selector, errs field.ErrorList) {
	for i := range list {
		s, err := CompileSelector(&list[i], at.Index(i))
		out, errs = append(out, s), append(errs, err...)
	}
	return out, errs
}

// fieldErrors are the parts of an aggregate of field errors.
func fieldErrors(err error) (out field.ErrorList) {
	if many, ok := errors.AsType[utilerrors.Aggregate](err); ok {
		for _, e := range many.Errors() {
			if one, ok := errors.AsType[*field.Error](e); ok {
				out = append(out, one)
			}
		}
	}
	return out
}
