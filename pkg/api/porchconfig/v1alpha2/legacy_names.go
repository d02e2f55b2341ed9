package v1alpha2

import (
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/lazyregexp"
)

// text is a piece of a name: as it is, or the CEL expression that gives it.
type text struct{ literal, expression string }

// downstream translates how a target names its repository and its package; nil when it leaves both
// to the default.
func (c *converter) downstream(at *field.Path, old *porchconfig.SetTarget) *DownstreamTemplate {
	var out DownstreamTemplate
	selects := old.Package == nil
	if old.Objects != nil {
		if repo, given := c.text(at.Child("objects", "repoName"), old.Objects.RepoName, selects); given {
			out.Repo, out.RepoExpr = repo.split()
		}
	}
	if old.PackageName != nil {
		name := c.packageName(at.Child("packageName"), old.PackageName, selects)
		out.Package, out.PackageExpr = name.split()
	}
	if out == (DownstreamTemplate{}) {
		return nil
	}
	return &out
}

// packageName joins prefix, base and suffix. Without a base it is the default package.
func (c *converter) packageName(at *field.Path, old *porchconfig.SetPackageName, selects bool) text {
	prefix, _ := c.text(at.Child("namePrefix"), old.NamePrefix, selects)
	base, given := c.text(at.Child("baseName"), old.BaseName, selects)
	if !given {
		base = text{expression: "packageDefault"}
	}
	suffix, _ := c.text(at.Child("nameSuffix"), old.NameSuffix, selects)
	return join(prefix, base, suffix)
}

// text reads a value or a field of the selected object; given is false when there is neither.
func (c *converter) text(at *field.Path, old *porchconfig.ValueOrFromField, selects bool) (t text, given bool) {
	switch {
	case old == nil || *old == porchconfig.ValueOrFromField{}:
		return text{}, false
	case old.Value != "" && old.FromField != "":
		c.refuse(at, *old, "give only one of value and fromField")
	case old.Value != "":
		return text{literal: old.Value}, true
	case !selects:
		c.refuse(at.Child("fromField"), old.FromField, "a target that names a package selects no object to take a field from")
	default:
		expression, ok := fieldExpression(old.FromField)
		if !ok {
			c.refuse(at.Child("fromField"), old.FromField, "v1alpha2 sees metadata.name, metadata.namespace, "+
				"metadata.labels and metadata.annotations only")
		}
		return text{expression: expression}, true
	}
	return text{}, true
}

// mapField is a key of the labels or annotations, after a dot or in brackets, bare or in quotes.
var mapField = lazyregexp.New(`^metadata\.(labels|annotations)(?:\.([A-Za-z0-9_-]+)|\[(?:'([^']+)'|"([^"]+)"|([^]'"]+))\])$`)

// fieldExpression is the CEL expression for a field of the selected object, if expressions can read it.
func fieldExpression(path string) (string, bool) {
	path = strings.TrimPrefix(path, ".")
	if path == "metadata.name" || path == "metadata.namespace" {
		return "target." + strings.TrimPrefix(path, "metadata."), true
	}
	m := mapField.FindStringSubmatch(path)
	if m == nil {
		return "", false
	}
	return "target." + m[1] + "[" + strconv.Quote(m[2]+m[3]+m[4]+m[5]) + "]", true
}

// join joins texts: into a literal when all of them are, else one expression.
func join(texts ...text) text {
	var literal string
	var terms []string
	for _, t := range texts {
		switch {
		case t.expression != "":
			terms = append(terms, t.expression)
		case t.literal != "":
			literal += t.literal
			terms = append(terms, strconv.Quote(t.literal))
		}
	}
	for _, t := range texts {
		if t.expression != "" {
			return text{expression: strings.Join(terms, " + ")}
		}
	}
	return text{literal: literal}
}

// split is the text as the two fields of a template, of which one is set.
func (t text) split() (literal, expression *string) {
	if t.expression != "" {
		return nil, &t.expression
	}
	return &t.literal, nil
}
