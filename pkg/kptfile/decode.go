package kptfile

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	v1 "github.com/kptdev/kpt/api/kptfile/v1"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// fileOf is what to call o in messages.
func fileOf(o *krm.Object) string {
	if file := o.File(); file != "" {
		return file
	}
	return Name
}

func checkKind(o *krm.Object) error {
	switch version := o.APIVersion(); {
	case o.Kind() != Kind || o.Group() != "kpt.dev":
		return fmt.Errorf("%s: want apiVersion %q and kind %q, got %q and %q", fileOf(o), APIVersion, Kind, version, o.Kind())
	case version == "kpt.dev/v1alpha1" || version == "kpt.dev/v1alpha2":
		return fmt.Errorf("%s: apiVersion %q is an old Kptfile format; migrate the package to %q as kpt's migration guide says", fileOf(o), version, APIVersion)
	case version != APIVersion:
		return fmt.Errorf("%s: apiVersion %q is not known, want %q", fileOf(o), version, APIVersion)
	}
	return nil
}

// decode fills spec by YAML's rules, as kpt does: a number or a boolean where text is wanted is
// the text it is written as, so "configMap: {replicas: 3}" is good.
func decode(o *krm.Object, spec *v1.KptFile) error {
	if errs := krm.UnknownFields(o.Node(), nil, spec); len(errs) > 0 {
		var fields []string
		for _, e := range errs {
			fields = append(fields, e.Field)
		}
		return fmt.Errorf("%s: unknown field %s", fileOf(o), strings.Join(fields, ", "))
	}
	if err := o.Node().Decode(spec); err != nil {
		return fmt.Errorf("%s: %s", fileOf(o), typeFaults(err, o))
	}
	return checkNoNulls(o)
}

// checkNoNulls refuses an empty entry in a list of functions: the decoder would drop it and shift
// those behind it.
func checkNoNulls(o *krm.Object) error {
	for _, list := range Lists {
		seq := o.Lookup("pipeline", string(list))
		if seq == nil {
			continue
		}
		for i, n := range seq.Content {
			if krm.Deref(n).ShortTag() == yaml.NodeTagNull {
				return fmt.Errorf("%s: pipeline.%s[%d]: want a function, got null", fileOf(o), list, i)
			}
		}
	}
	return nil
}

var faultLine = regexp.MustCompile(`^line (\d+): `)

// typeFaults puts the faults the decoder found on one line and counts their lines from the
// beginning of the file, not of the document.
func typeFaults(err error, o *krm.Object) string {
	var faults *yaml.TypeError
	if !errors.As(err, &faults) {
		return strings.TrimPrefix(err.Error(), "yaml: ")
	}
	shift := o.Source.Line - o.Node().Line
	if o.Source.Line == 0 {
		shift = 0
	}
	var out []string
	for _, text := range faults.Errors {
		if m := faultLine.FindStringSubmatch(text); m != nil {
			n, _ := strconv.Atoi(m[1])
			text = fmt.Sprintf("line %d: %s", n+shift, strings.TrimPrefix(text, m[0]))
		}
		out = append(out, strings.Join(strings.Fields(text), " "))
	}
	return strings.Join(out, "; ")
}
