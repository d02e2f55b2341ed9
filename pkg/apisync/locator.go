package apisync

import (
	"errors"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/apisync/mutation"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/selection"
	"github.com/waybill-dev/waybill/pkg/template/text"
)

// maxNames bounds the names that one locator may give for one primary.
const maxNames = 10_000

// locator gives the names of objects on both sides.
type locator struct {
	path     string // of a reference
	pattern  *replacement
	template *text.Template
	selector *selector
	rewrite  *text.Template // of a selector, unless it has a pattern
	text     string         // of the template
}

// replacement is a regular expression and the replacement for its matches.
type replacement struct {
	pattern *text.Pattern // nil: everything
	with    string
}

// apply replaces matches in s and trims white space.
func (r *replacement) apply(left *text.Allowance, s string) (string, error) {
	switch {
	case r == nil:
	case r.pattern == nil:
		s = r.with
	default:
		var err error
		if s, _, err = r.pattern.Replace(left, s, r.with); err != nil {
			return "", err
		}
	}
	return strings.TrimSpace(s), nil
}

// namePair is a name on both sides.
type namePair struct{ origin, copy string }

func newLocator(l *waybill.RelatedLocator, at *field.Path) (out *locator, errs field.ErrorList) {
	out = &locator{}
	keep := func(at *field.Path, err error) {
		if err != nil {
			errs = append(errs, asField(at, err))
		}
	}
	var err error
	switch {
	case l.Reference != nil:
		out.path = l.Reference.Path
		keep(at.Child("reference", "path"), mutation.CheckPath(out.path))
		out.pattern, err = newReplacement(l.Reference.Regex)
		keep(at.Child("reference", "regex", "pattern"), err)
	case l.Template != nil:
		out.text = l.Template.Template
		out.template, err = text.Compile("template", out.text)
		keep(at.Child("template", "template"), err)
	case l.Selector != nil:
		out.selector, err = newSelector(&l.Selector.LabelSelector)
		keep(at.Child("selector"), err)
		out.pattern, err = newReplacement(l.Selector.Rewrite.Regex)
		keep(at.Child("selector", "rewrite", "regex", "pattern"), err)
		if t := l.Selector.Rewrite.Template; t != nil {
			out.rewrite, err = text.Compile("rewrite", t.Template)
			keep(at.Child("selector", "rewrite", "template", "template"), err)
		}
	default:
		keep(at, errors.New("give it one of reference, selector and template"))
	}
	return out, errs
}

func newReplacement(r *waybill.RelatedRegex) (*replacement, error) {
	if r == nil {
		return nil, nil
	}
	out := &replacement{with: r.Replacement}
	if r.Pattern == "" {
		return out, nil
	}
	var err error
	out.pattern, err = text.CompilePattern(r.Pattern)
	return out, err
}

// isEmptyEverywhere reports whether the entry's reference or template gives nothing for any primary. A live snapshot has
// one primary at a time: there it reports whether the entry has found nothing since it was compiled.
func (k *relatedObjects) isEmptyEverywhere() bool {
	if k.x.snapshot.Live {
		return !k.proven.Load()
	}
	for _, f := range k.found {
		if f.empty == nil || f.err != nil || f.pending {
			return false
		}
	}
	return true
}

// emptyLocator is a locator that gives nothing for a primary: the primary no longer names an object, or the locator is
// misspelt.
type emptyLocator struct {
	locator      *locator
	ofNamespaces bool // it is the locator of namespaces
}

// at is the field of the locator in its entry, and what it is.
func (s *emptyLocator) at() (at, what string) {
	at = "object"
	if s.ofNamespaces {
		at = "object.namespace"
	}
	if s.locator.template != nil {
		return at + ".template", "template"
	}
	return fmt.Sprintf("%s.reference.path %s", at, s.locator.path), "path"
}

// fieldNaming is the field of a primary that still has the name of an origin, or its namespace; "" when there is none. Of
// several it is the one whose path is the most similar.
func (k *relatedObjects) fieldNaming(p *primary, s *emptyLocator, origin *krm.Object) string {
	name := origin.Name()
	if s.ofNamespaces {
		name = k.x.refs[origin].Namespace
	}
	data, err := k.x.doc(k.namingObject(p)).text()
	constant := s.locator.pattern != nil && s.locator.pattern.pattern == nil // every text becomes the same
	if err != nil || name == "" || constant {
		return ""
	}
	left := text.NewAllowance()
	paths := mutation.Find(data, func(path, value string) bool {
		became, err := s.locator.pattern.apply(left, value)
		return err == nil && became == name && !strings.HasPrefix(path, "metadata.")
	})
	if paths = append(selection.Similar(s.locator.path, paths), paths...); len(paths) > 0 {
		return paths[0]
	}
	return ""
}

// namingObject is the primary's object on the side of the origins, which names them.
func (k *relatedObjects) namingObject(p *primary) *krm.Object {
	if origins, _ := k.sides(p); origins.Side == Source {
		return p.object
	}
	return p.copy
}
