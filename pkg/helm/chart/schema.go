package chart

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

const schemaFile = "values.schema.json"

// checkSchemas checks the values of the chart and of the charts in it by their schemas. Every fault is reported.
func (n *node) checkSchemas(values map[string]any) error {
	var errs []error
	if n.schema != nil {
		errs = append(errs, n.checkSchema(values))
	}
	for _, dep := range n.deps {
		if below, ok := values[dep.name].(map[string]any); ok {
			errs = append(errs, dep.checkSchemas(below))
		}
	}
	return errors.Join(errs...)
}

// checkSchema checks values by the chart's own schema.
func (n *node) checkSchema(values map[string]any) error {
	schema, err := compileSchema(n.schema)
	if err != nil {
		return fmt.Errorf("chart %s: %s: %w", n.path(), schemaFile, err)
	}
	var invalid *jsonschema.ValidationError
	if err := schema.Validate(values); errors.As(err, &invalid) {
		faults := n.faults(invalid)
		slices.SortFunc(faults, func(a, b error) int { return cmp.Compare(a.Error(), b.Error()) })
		return errors.Join(faults...)
	}
	return err
}

// compileSchema reads a schema. What it refers to must be in it, or be one of the drafts: nothing is fetched.
func compileSchema(data []byte) (*jsonschema.Schema, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	if err := boundSchema(doc); err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.UseLoader(offline{})
	const url = "file:///" + schemaFile
	if err := c.AddResource(url, doc); err != nil {
		return nil, err
	}
	return c.Compile(url)
}

// offline loads nothing. As with Helm, a URN that nobody knows allows everything.
type offline struct{}

func (offline) Load(url string) (any, error) {
	if strings.HasPrefix(url, "urn:") {
		return true, nil
	}
	return nil, fmt.Errorf("%s is not in the schema; copy it into $defs: nothing is fetched while rendering", url)
}

// faults are the innermost faults of err, each with the path of the value. They do not tell values.
func (n *node) faults(err *jsonschema.ValidationError) (all []error) {
	if len(err.Causes) == 0 {
		return []error{&ValuesError{Chart: n.path(), Path: strings.Join(err.InstanceLocation, "."), Reason: reason(err.ErrorKind) + " (" + schemaFile + ")"}}
	}
	for _, cause := range err.Causes {
		all = append(all, n.faults(cause)...)
	}
	return all
}

// reason is what the schema wants. Kinds of faults whose texts quote the value are told without it.
func reason(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.Pattern:
		return fmt.Sprintf("does not match pattern %q", k.Want)
	case *kind.Format:
		return fmt.Sprintf("is no %s", k.Want)
	case *kind.Enum:
		return fmt.Sprintf("is none of %v", k.Want)
	case *kind.Const:
		return fmt.Sprintf("is not %v", k.Want)
	case *kind.Minimum, *kind.Maximum, *kind.ExclusiveMinimum, *kind.ExclusiveMaximum, *kind.MultipleOf:
		return "is out of the range that the schema allows"
	case *kind.ContentEncoding, *kind.ContentMediaType, *kind.ContentSchema:
		return "has not the encoding that the schema wants"
	}
	return k.LocalizedString(message.NewPrinter(language.English))
}
