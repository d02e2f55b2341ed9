package chart

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/xeipuuv/gojsonreference"
	"github.com/xeipuuv/gojsonschema"
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
	result, err := schema.Validate(gojsonschema.NewGoLoader(values))
	if err != nil {
		return fmt.Errorf("chart %s: values cannot be checked by %s: %w", n.path(), schemaFile, err)
	}
	faults := n.faults(result.Errors())
	slices.SortFunc(faults, func(a, b error) int { return cmp.Compare(a.Error(), b.Error()) })
	return errors.Join(faults...)
}

// compileSchema reads a schema. What it refers to must be in it, or be one of the drafts: nothing is fetched.
func compileSchema(data []byte) (*gojsonschema.Schema, error) {
	var doc any
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(&doc); err != nil {
		return nil, err
	}
	if err := boundSchema(doc); err != nil {
		return nil, err
	}
	if err := toDraft7(doc, 0); err != nil {
		return nil, err
	}
	return gojsonschema.NewSchemaLoader().Compile(offline{doc})
}

// offline gives the library the schema, and nothing that the schema refers to outside of itself.
type offline struct{ doc any }

func (o offline) JsonSource() any                               { return o.doc }
func (o offline) LoadJSON() (any, error)                        { return o.doc, nil }
func (o offline) LoaderFactory() gojsonschema.JSONLoaderFactory { return refusing{} }
func (o offline) JsonReference() (gojsonreference.JsonReference, error) {
	return gojsonreference.NewJsonReference("")
}

// refusing makes loaders that load nothing.
type refusing struct{}

func (refusing) New(url string) gojsonschema.JSONLoader { return unfetched{url: url} }

type unfetched struct {
	offline
	url string
}

func (u unfetched) LoadJSON() (any, error) {
	return nil, fmt.Errorf("%s is not in the schema", u.url)
}

// faults are the faults that the library found, each with the path of the value. They do not tell values.
func (n *node) faults(found []gojsonschema.ResultError) (all []error) {
	for _, f := range found {
		if f.Type() == "number_all_of" { // the faults of each schema are told
			continue
		}
		path := strings.TrimPrefix(strings.TrimPrefix(f.Context().String(), gojsonschema.STRING_CONTEXT_ROOT), ".")
		all = append(all, &ValuesError{Chart: n.path(), Path: path, Reason: reason(f) + " (" + schemaFile + ")"})
	}
	return all
}

// reason is what the schema wants, in the library's words, which quote the schema and never the value.
func reason(f gojsonschema.ResultError) string {
	text := strings.TrimPrefix(f.Description(), f.Field()+" ")
	return strings.ToLower(text[:1]) + text[1:]
}
