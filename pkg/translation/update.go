package translation

import (
	"errors"
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	api "github.com/waybill-dev/waybill/pkg/api/midonet"
	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/translation/midonet"
)

// What users can do about a change that a pusher without a memory cannot make.
const (
	remedy  = "; delete %s, push, then render; or set updateLimits: false, if the pusher remembers what it pushed"
	version = "; another version helps as well, and creates everything again"
	keeping = "another version helps as well, and keeps what that depends on"
)

// validate checks a change of an existing Translation.
func (t *translator) validate(g *applyset.Group, old, new *krm.Object) error {
	if err := foreign(g, old); err != nil {
		return err
	}
	if err := t.checkDependents(old, new); err != nil || !t.UpdateLimits {
		return err
	}
	err := midonet.CheckUpdate(resourcesOf(old), resourcesOf(new))
	var at *midonet.UpdateError
	if !errors.As(err, &at) {
		return err
	}
	more := ""
	if midonet.IsRecreated(at.Resource) {
		more = version
	}
	return fmt.Errorf("%w%s"+remedy+"%s", err, t.otherTenant(), "the Translation", more)
}

// otherTenant says that the existing Translations are for another tenant, so that everything differs. Every error has it;
// it is determined once.
func (t *translator) otherTenant() string {
	if t.tenantNote == nil {
		note := t.findOtherTenant()
		t.tenantNote = &note
	}
	return *t.tenantNote
}

func (t *translator) findOtherTenant() string {
	for _, o := range t.translations(func(o *krm.Object) bool { return applyset.TagsOf(o).Controller == t.controller }) {
		for _, r := range resourcesOf(o) {
			if tenant := midonet.TenantOf(r); tenant != "" && tenant != t.Tenant {
				return fmt.Sprintf(", because the tenant was %q and is %q", tenant, t.Tenant)
			}
		}
	}
	return ""
}

// moves is the error that a resource would move from an obsolete Translation to another: pushing the new one finds it there
// already, and removing the old one deletes it.
func (t *translator) moves(r api.Resource, old *krm.Object, to *holder) error {
	return fmt.Errorf("%s would move from Translation %s/%s to %s/%s, and would be deleted with the former"+remedy,
		midonet.Describe(r), t.ref(old).Namespace, old.Name(), to.by.Namespace, to.by.Name, "the former")
}

// foreign returns an error if a Translation without tags belongs to another object than the group's. One with tags belongs
// to an object by name: a recreated one, with another uid, is the same.
func foreign(g *applyset.Group, old *krm.Object) error {
	if applyset.TagsOf(old).Controller != "" {
		return nil
	}
	uid, given := "", old.Labels()[api.OwnerUIDLabel]
	if g.Input != nil {
		uid = g.Input.String("metadata", "uid")
	}
	if given != "" && given != uid && (uid != "" || g.Input == nil) {
		return fmt.Errorf("its label %s is %q, which is not the uid of %s; remove it, or wait until it is gone", api.OwnerUIDLabel, given, g.Key)
	}
	if refs := old.Lookup("metadata", "ownerReferences"); has(refs, func(n *yaml.Node) bool { return !mayBe(n, g.Input, uid) }) {
		return fmt.Errorf("an owner reference of it is to another object than %s; remove it, or wait until it is gone", g.Key)
	}
	return nil
}

// mayBe reports whether an owner reference may be to an object. Files need not have its uid.
func mayBe(reference *yaml.Node, o *krm.Object, uid string) bool {
	if o == nil {
		return false
	}
	given := scalar(reference, "uid")
	return scalar(reference, "kind") == o.Kind() && scalar(reference, "name") == o.Name() && (uid == "" || given == "" || given == uid)
}
