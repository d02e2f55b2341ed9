package searchreplace

import (
	"fmt"
	"regexp"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mutators/edit"
)

// Options are those of search-replace. An empty one counts as not given. At least one of ByValue,
// ByValueRegex and ByPath; not both of the first two.
type Options struct {
	// ByValue is the whole value of the fields to find, as text.
	ByValue string `json:"byValue"`
	// ByValueRegex matches a part of the value of the fields to find.
	ByValueRegex string `json:"byValueRegex"`
	// ByPath matches the paths of the fields to find.
	ByPath string `json:"byPath"`
	// ByFilePath matches the files of the objects, relative to their package.
	ByFilePath string `json:"byFilePath"`
	// PutValue is the new value, in which ${1} is what the first group of ByValueRegex captured.
	PutValue string `json:"putValue"`
	// PutComment is the new comment, likewise.
	PutComment string `json:"putComment"`
}

// query is the compiled form of Options.
type query struct {
	Options
	value *regexp.Regexp // nil: any
	path  path           // nil: any
	file  *regexp.Regexp // nil: any
}

// longest bounds patterns, which every field is compared with.
const longest = 1_000

func readQuery(config *krm.Object) (*query, error) {
	q := &query{}
	err := edit.Decode(config, configKind, &q.Options, func(entries []edit.Entry) field.ErrorList {
		return edit.Assign(entries, "by-value, by-value-regex, by-path, by-file-path, put-value, put-comment", map[string]*string{
			"by-value": &q.ByValue, "by-value-regex": &q.ByValueRegex, "by-path": &q.ByPath,
			"by-file-path": &q.ByFilePath, "put-value": &q.PutValue, "put-comment": &q.PutComment,
		})
	})
	if err != nil {
		return nil, err
	}
	at := func(key, name string) *field.Path {
		if fn.IsConfigMap(config) {
			return field.NewPath("data").Key(key)
		}
		return field.NewPath(name)
	}
	return q, q.compile(at).ToAggregate()
}

// compile reads the patterns; at is the path of an option, by its name in a ConfigMap and in a SearchReplace.
func (q *query) compile(at func(key, name string) *field.Path) (errs field.ErrorList) {
	var err error
	if q.ByValue == "" && q.ByValueRegex == "" && q.ByPath == "" {
		errs = append(errs, field.Required(at("by-value", "byValue"), "give by-value, by-value-regex or by-path"))
	}
	if q.ByValue != "" && q.ByValueRegex != "" {
		errs = append(errs, field.Forbidden(at("by-value-regex", "byValueRegex"), "give by-value or by-value-regex, not both"))
	}
	if q.ByValueRegex != "" {
		if q.value, err = compileRegexp(q.ByValueRegex); err != nil {
			errs = append(errs, field.Invalid(at("by-value-regex", "byValueRegex"), field.OmitValueType{}, err.Error()))
		}
	}
	if q.ByFilePath != "" {
		if q.file, err = compileGlob(q.ByFilePath); err != nil {
			errs = append(errs, field.Invalid(at("by-file-path", "byFilePath"), field.OmitValueType{}, err.Error()))
		}
	}
	if q.ByPath != "" {
		if q.path, err = parsePath(q.ByPath); err != nil {
			errs = append(errs, field.Invalid(at("by-path", "byPath"), field.OmitValueType{}, err.Error()))
		}
	}
	if !edit.IsOneLine(q.PutComment) {
		errs = append(errs, field.Invalid(at("put-comment", "putComment"), field.OmitValueType{}, errLines.Error()))
	}
	return errs
}

func compileRegexp(text string) (*regexp.Regexp, error) {
	if len(text) > longest {
		return nil, fmt.Errorf("is longer than the %d bytes allowed", longest)
	}
	return regexp.Compile(text)
}

// puts reports whether fields are changed, not only found.
func (q *query) puts() bool { return q.PutValue != "" || q.PutComment != "" }

// anyValue reports whether the query matches every value.
func (q *query) anyValue() bool { return q.ByValue == "" && q.value == nil }

// holds reports whether the query matches value.
func (q *query) holds(value string) bool {
	return q.anyValue() || q.ByValue != "" && q.ByValue == value || q.value != nil && q.value.MatchString(value)
}

// creates reports whether a missing field is made.
func (q *query) creates() bool { return q.PutValue != "" && q.anyValue() && q.path.isPlain() }
