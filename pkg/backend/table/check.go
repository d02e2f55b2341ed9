package table

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
)

// checkLinks makes sure that parents and references of a kind name kinds of the table whose id alone identifies a resource.
func (t *Table) checkLinks(b *waybill.BackendKind, at *field.Path) (errs field.ErrorList) {
	errs = t.checkNamed(b.Parents, at.Child("parents"))
	if k := t.kinds[b.Kind]; len(b.Parents) > 0 && k != nil && !k.needsParent {
		errs = append(errs, field.Forbidden(at.Child("parents"), "no path of this kind has {parent}"))
	}
	for i, r := range b.References {
		if i < maxList {
			errs = append(errs, t.checkNamed(r.Kinds, at.Child("references").Index(i).Child("kinds"))...)
		}
	}
	return errs
}

func (t *Table) checkNamed(names []string, at *field.Path) (errs field.ErrorList) {
	if len(names) > maxList {
		return field.ErrorList{field.TooMany(at, len(names), maxList)}
	}
	for i, name := range names {
		switch k := t.kinds[name]; {
		case k == nil:
			errs = append(errs, field.NotFound(at.Index(i), Short(name)))
		case k.scoped:
			errs = append(errs, field.Invalid(at.Index(i), name, "is not identified by its id alone"))
		case slices.Contains(names[:i], name):
			errs = append(errs, field.Duplicate(at.Index(i), name))
		}
	}
	return errs
}

// reserved are the status codes whose meaning a table cannot change.
var reserved = []int32{http.StatusUnauthorized, http.StatusTooManyRequests}

func checkStatuses(s waybill.BackendStatuses, at *field.Path) (errs field.ErrorList) {
	for _, l := range []struct {
		name  string
		codes []int32
	}{{"exists", s.Exists}, {"missing", s.Missing}, {"gone", s.Gone}, {"unchanged", s.Unchanged}} {
		if len(l.codes) > maxCodes {
			errs = append(errs, field.TooMany(at.Child(l.name), len(l.codes), maxCodes))
			continue
		}
		for i, code := range l.codes {
			if code < 400 || code > 599 || slices.Contains(reserved, code) {
				errs = append(errs, field.Invalid(at.Child(l.name).Index(i), code, "want 400 to 599, without 401 and 429"))
			}
		}
	}
	return errs
}

// contradictions are the codes with two meanings for the answer to one request, after kinds have inherited from the table and
// the table from the defaults.
func (s statuses) contradictions(at *field.Path) (errs field.ErrorList) {
	for _, pair := range []struct {
		name, means string
		codes, and  []int32
	}{
		{"missing", "exists", s.Missing, s.Exists},
		{"unchanged", "missing", s.Unchanged, s.Missing},
		{"unchanged", "gone", s.Unchanged, s.Gone},
	} {
		for _, code := range pair.codes {
			if slices.Contains(pair.and, code) {
				errs = append(errs, field.Invalid(at.Child(pair.name), code, "is in "+pair.means+", too"))
			}
		}
	}
	return errs
}

func checkAuth(a waybill.BackendAuth, at *field.Path) field.ErrorList {
	switch a.Type {
	case waybill.AuthLogin:
		if a.Login == nil {
			return field.ErrorList{field.Required(at.Child("login"), "required: it says how to log in")}
		}
		return checkLogin(a.Login, at.Child("login"))
	case "", waybill.AuthNone, waybill.AuthBasic, waybill.AuthBearer:
		if a.Login != nil {
			return field.ErrorList{field.Forbidden(at.Child("login"), fmt.Sprintf("only type %s logs in", waybill.AuthLogin))}
		}
		return nil
	}
	return field.ErrorList{field.NotSupported(at.Child("type"), Short(a.Type),
		[]string{waybill.AuthNone, waybill.AuthBasic, waybill.AuthBearer, waybill.AuthLogin})}
}

func checkLogin(l *waybill.BackendLogin, at *field.Path) (errs field.ErrorList) {
	if _, err := parsePath(l.Path); err != nil {
		errs = append(errs, field.Invalid(at.Child("path"), Short(l.Path), err.Error()))
	}
	if l.ProjectHeader != "" {
		errs = append(errs, checkHeader(l.ProjectHeader, at.Child("projectHeader"))...)
	}
	errs = append(errs, checkField(l.TokenField, at.Child("tokenField"))...)
	return append(errs, checkHeader(l.TokenHeader, at.Child("tokenHeader"))...)
}

var headerName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z][A-Za-z0-9-]{0,63}$`) })

// ownHeaders are the headers that the client sets itself; a table cannot use them.
var ownHeaders = []string{"Accept", "Connection", "Content-Length", "Content-Type", "Host", "Te", "Trailer", "Transfer-Encoding", "Upgrade"}

func checkHeader(name string, at *field.Path) field.ErrorList {
	if !headerName().MatchString(name) || slices.Contains(ownHeaders, http.CanonicalHeaderKey(name)) {
		return field.ErrorList{field.Invalid(at, Short(name), "want the name of a header that carries nothing else")}
	}
	return nil
}
