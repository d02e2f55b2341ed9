package table

import (
	"cmp"
	"fmt"
	"mime"
	"regexp"
	"slices"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
)

// Bounds of a table.
const (
	maxKinds  = 500
	maxList   = 50
	maxCodes  = 20
	maxCreate = 20
)

var kindName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Z][A-Za-z0-9]{0,62}$`) })

// Compile checks and compiles a table. It reports every fault at its own path, in field order; with any fault there is no
// Table.
func Compile(b *waybill.BackendTable) (*Table, field.ErrorList) {
	at := field.NewPath("spec")
	t := &Table{name: b.Name, auth: b.Spec.Auth, kinds: map[string]*Kind{}}
	errs := checkTableName(b.Name, field.NewPath("metadata", "name"))
	errs = append(errs, checkAuth(b.Spec.Auth, at.Child("auth"))...)
	errs = append(errs, checkStatuses(b.Spec.Statuses, at.Child("statuses"))...)
	kinds := at.Child("kinds")
	switch n := len(b.Spec.Kinds); {
	case n == 0:
		errs = append(errs, field.Required(kinds, "name the kinds of resources"))
	case n > maxKinds:
		return nil, append(errs, field.TooMany(kinds, n, maxKinds))
	}
	common := statusesOf(b.Spec.Statuses).or(defaultStatuses)
	conflicting := common.contradictions(at.Child("statuses"))
	errs = append(errs, conflicting...)
	for i := range b.Spec.Kinds {
		k, more := compileKind(&b.Spec.Kinds[i], kinds.Index(i))
		errs = append(errs, more...)
		if t.kinds[k.Name] != nil {
			errs = append(errs, field.Duplicate(kinds.Index(i).Child("kind"), k.Name))
			continue
		}
		if k.Statuses = k.Statuses.or(common); len(conflicting) == 0 {
			errs = append(errs, k.Statuses.contradictions(kinds.Index(i).Child("statuses"))...)
		}
		t.kinds[k.Name] = k
	}
	for i := range b.Spec.Kinds {
		errs = append(errs, t.checkLinks(&b.Spec.Kinds[i], kinds.Index(i))...)
	}
	if len(errs) > 0 {
		return nil, errs
	}
	return t, nil
}

// checkTableName requires a DNS name: inventories and files are named after the table.
func checkTableName(name string, at *field.Path) (errs field.ErrorList) {
	for _, fault := range validation.NameIsDNSSubdomain(name, false) {
		errs = append(errs, field.Invalid(at, Short(name), fault))
	}
	return errs
}

func compileKind(b *waybill.BackendKind, at *field.Path) (k *Kind, errs field.ErrorList) {
	k = &Kind{Name: b.Kind, MediaType: b.MediaType, parents: b.Parents, Ordered: b.Ordered, Statuses: statusesOf(b.Statuses)}
	if !kindName().MatchString(b.Kind) {
		errs = append(errs, field.Invalid(at.Child("kind"), Short(b.Kind), "want a letter A to Z, then up to 62 letters and digits"))
	}
	k.MediaType = cmp.Or(k.MediaType, "application/json")
	if name, parameters, err := mime.ParseMediaType(k.MediaType); err != nil || len(parameters) > 0 || !strings.EqualFold(name, k.MediaType) ||
		!strings.Contains(name, "/") || len(name) > MaxField {
		errs = append(errs, field.Invalid(at.Child("mediaType"), Short(k.MediaType), "want type/subtype without parameters"))
	}
	errs = append(errs, k.compileID(b.ID, at.Child("id"))...)
	errs = append(errs, k.compileCreate(b.Create, at.Child("create"))...)
	errs = append(errs, k.compilePaths(b, at)...)
	errs = append(errs, k.compileReferences(b.References, at.Child("references"))...)
	return k, append(errs, checkStatuses(b.Statuses, at.Child("statuses"))...)
}

func (k *Kind) compileID(id string, at *field.Path) field.ErrorList {
	if id == "" {
		id = "{id}"
	}
	t, err := parseTemplate(id)
	if err == nil && !slices.ContainsFunc(t, func(p part) bool { return p.field != nil }) {
		err = fmt.Errorf("has no parameter: every resource would be the same")
	}
	if err == nil && strings.Contains(id, "/") {
		err = fmt.Errorf("may not have a slash")
	}
	if err != nil {
		return field.ErrorList{field.Invalid(at, Short(id), err.Error())}
	}
	k.id, k.needsParent = t, t.needs("parent")
	return nil
}

func (k *Kind) compileCreate(list []waybill.BackendCreate, at *field.Path) (errs field.ErrorList) {
	if len(list) == 0 {
		errs = append(errs, field.Required(at, "say where to create it"))
	}
	if len(list) > maxCreate {
		return field.ErrorList{field.TooMany(at, len(list), maxCreate)}
	}
	for i, c := range list {
		t, err := parsePath(c.Path, "parent")
		if err != nil {
			errs = append(errs, field.Invalid(at.Index(i).Child("path"), Short(c.Path), err.Error()))
		}
		k.needsParent = k.needsParent || t.needs("parent")
		made := creation{path: t}
		if c.When != nil {
			when := at.Index(i).Child("when")
			errs = append(errs, checkField(c.When.Field, when.Child("field"))...)
			if c.When.Value == "" || len(c.When.Value) > MaxField {
				errs = append(errs, field.Invalid(when.Child("value"), Short(c.When.Value), fmt.Sprintf("want 1 to %d bytes", MaxField)))
			}
			made.field, made.value = strings.Split(c.When.Field, "."), c.When.Value
		}
		k.create = append(k.create, made)
	}
	return errs
}

func (k *Kind) compilePaths(b *waybill.BackendKind, at *field.Path) (errs field.ErrorList) {
	for _, p := range []struct {
		name, path string
		to         *template
	}{{"replace", b.Replace, &k.Replace}, {"read", b.Read, &k.Read}, {"delete", b.Delete, &k.Delete}} {
		if p.path == "" {
			if p.name == "delete" {
				errs = append(errs, field.Required(at.Child("delete"), "say where to delete it"))
			}
			continue
		}
		t, err := parsePath(p.path, "parent", "id")
		if err == nil && !t.needs("id") && !k.id.needs("parent") {
			err = fmt.Errorf("does not have {id}: it would be the same for every resource")
		}
		if err != nil {
			errs = append(errs, field.Invalid(at.Child(p.name), Short(p.path), err.Error()))
		}
		*p.to, k.scoped = t, k.scoped || t.needs("parent")
	}
	k.needsParent = k.needsParent || k.scoped
	return errs
}

func (k *Kind) compileReferences(list []waybill.BackendReference, at *field.Path) (errs field.ErrorList) {
	if len(list) > maxList {
		return field.ErrorList{field.TooMany(at, len(list), maxList)}
	}
	for i, r := range list {
		errs = append(errs, checkField(r.Field, at.Index(i).Child("field"))...)
		if len(r.Kinds) == 0 {
			errs = append(errs, field.Required(at.Index(i).Child("kinds"), "name the kinds it may mean"))
		}
		k.references = append(k.references, reference{strings.Split(r.Field, "."), r.Kinds, r.Blocks})
	}
	return errs
}

func checkField(name string, at *field.Path) field.ErrorList {
	if len(name) > MaxField || !fieldName.MatchString(name) {
		return field.ErrorList{field.Invalid(at, Short(name), "want names of fields with dots between them")}
	}
	return nil
}
