package kptfile

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	v1 "github.com/kptdev/kpt/api/kptfile/v1"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/lazyregexp"
)

// fileOf returns the name of the file of o for messages.
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
		return fmt.Errorf("%s: apiVersion %q is an old Kptfile format; migrate the package to %q as kpt's migration guide describes",
			fileOf(o), version, APIVersion)
	case version != APIVersion:
		return fmt.Errorf("%s: apiVersion %q is unknown, want %q", fileOf(o), version, APIVersion)
	}
	return nil
}

// decode fills spec by the rules of YAML, as kpt does: a number or boolean in the place of a string
// becomes the string as written, so "configMap: {replicas: 3}" is valid.
func decode(o *krm.Object, spec *v1.KptFile) error {
	if errs := krm.UnknownFields(o.Node(), nil, spec); len(errs) > 0 {
		var fields []string
		for _, e := range errs {
			fields = append(fields, e.Field+atLine(o, e.Field))
		}
		return fmt.Errorf("%s: unknown field %s", fileOf(o), strings.Join(fields, ", "))
	}
	if err := o.Node().Decode(spec); err != nil {
		return fmt.Errorf("%s: %s", fileOf(o), typeFaults(err, o))
	}
	return checkNoNulls(o)
}

// checkNoNulls refuses an empty entry in a list of functions: the decoder would drop it and shift
// the entries after it.
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

var faultLine = lazyregexp.New(`^line (\d+): `)

// typeFaults returns the errors of the decoder on one line, with line numbers counted from the
// beginning of the file instead of the document.
func typeFaults(err error, o *krm.Object) string {
	var faults *yaml.TypeError
	if !errors.As(err, &faults) {
		return strings.TrimPrefix(err.Error(), "yaml: ")
	}
	shift := lineShift(o)
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

// lineShift returns the difference between the line numbers in the nodes of o and in its file.
func lineShift(o *krm.Object) int {
	if o.Source.Line == 0 {
		return 0
	}
	return o.Source.Line - o.Node().Line
}

// atLine returns " (line N)" for the field at path, "" if the line is unknown.
func atLine(o *krm.Object, path string) string {
	if line := lineOf(o.Node(), path); line > 0 && o.Source.Line > 0 {
		return fmt.Sprintf(" (line %d)", line+lineShift(o))
	}
	return ""
}

// lineOf returns the line of the field at a path below n, as UnknownFields writes paths; 0 if there is
// none. A name may contain dots and brackets, so it tries every key of the node.
func lineOf(n *yaml.Node, path string) int {
	n = krm.Deref(n)
	for i, c := range n.Content {
		switch {
		case n.Kind == yaml.SequenceNode:
			if rest, ok := strings.CutPrefix(path, fmt.Sprintf("[%d]", i)); ok {
				return lineOf(c, strings.TrimPrefix(rest, "."))
			}
		case n.Kind == yaml.MappingNode && i%2 == 0 && c.Value == path:
			return c.Line
		case n.Kind == yaml.MappingNode && i%2 == 0:
			rest, ok := strings.CutPrefix(path, c.Value)
			if !ok || !strings.HasPrefix(rest, ".") && !strings.HasPrefix(rest, "[") {
				continue
			}
			if line := lineOf(n.Content[i+1], strings.TrimPrefix(rest, ".")); line > 0 {
				return line
			}
		}
	}
	return 0
}
