package waybill

import (
	"fmt"
	"slices"
	"strconv"

	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// KindPublishedResource is the kind of a PublishedResource in both groups.
const KindPublishedResource = "PublishedResource"

// SyncAgentAPIVersion is the API version of kcp's PublishedResource. An object of it may also have the fields that
// this project adds.
const SyncAgentAPIVersion = "syncagent.kcp.io/v1alpha1"

// IsPublishedResource reports whether o is a PublishedResource of either group.
func IsPublishedResource(o *krm.Object) bool {
	return o.Kind() == KindPublishedResource && slices.Contains([]string{APIVersion, SyncAgentAPIVersion}, o.APIVersion())
}

// ReadPublishedResource decodes a PublishedResource of either group strictly: an unknown field or a value of the
// wrong type is an error that names the object and every such field.
func ReadPublishedResource(o *krm.Object) (*PublishedResource, error) {
	if !IsPublishedResource(o) {
		return nil, fmt.Errorf("%s: want kind %q of apiVersion %q or %q, got %q",
			o.Describe(), KindPublishedResource, APIVersion, SyncAgentAPIVersion, o.APIVersion())
	}
	plain := o.WithoutOrchestration()
	limit := limitFault(plain)
	if limit != nil { // the message of decoding would be unclear
		plain = plain.DeepCopy()
		krm.RemoveField(plain.Lookup("spec"), "maxDeletions")
	}
	out := new(PublishedResource)
	faults := []error{plain.Decode(out)}
	for _, fault := range []*field.Error{missingGroup(plain), missingSwitch(plain)} {
		if fault != nil {
			faults = append(faults, fault)
		}
	}
	if limit != nil {
		faults = append(faults, limit)
	}
	if err := utilerrors.Flatten(utilerrors.NewAggregate(faults)); err != nil {
		return nil, fmt.Errorf("%s: %w", o.Describe(), err)
	}
	if out.APIVersion == SyncAgentAPIVersion {
		out.keepCopies()
	}
	return out, nil
}

// keepCopies sets the default of kcp's API syncer: copies whose origin is service stay.
func (p *PublishedResource) keepCopies() {
	for i := range p.Spec.Related {
		if r := &p.Spec.Related[i]; r.Origin == OriginService && r.Cleanup == nil && r.CleanupPolicy == "" {
			r.Cleanup = new(bool)
		}
	}
}

// WantLimit is the message about an invalid maxDeletions.
const WantLimit = "want a whole number from 0, or a percentage up to 100%"

// limitFault refuses a maxDeletions that is neither a number nor text.
func limitFault(o *krm.Object) *field.Error {
	n := o.Lookup("spec", "maxDeletions")
	if n == nil {
		return nil
	}
	at := field.NewPath("spec", "maxDeletions")
	if n.Kind != yaml.ScalarNode {
		return field.TypeInvalid(at, field.OmitValueType{}, WantLimit)
	}
	switch n.ShortTag() {
	case yaml.NodeTagString, yaml.NodeTagNull:
		return nil
	case yaml.NodeTagInt:
		if _, err := strconv.ParseInt(n.Value, 0, 32); err == nil {
			return nil
		}
	}
	return field.TypeInvalid(at, n.Value, WantLimit)
}

// missingGroup refuses a resource without apiGroup: decoded, it would be of the core group.
func missingGroup(o *krm.Object) *field.Error {
	of := o.Lookup("spec", "resource")
	if group := krm.Lookup(of, "apiGroup"); krm.IsMap(of) && (group == nil || krm.IsNull(group)) {
		return field.Required(field.NewPath("spec", "resource", "apiGroup"), `name the group of the type; the core group is ""`)
	}
	return nil
}

// missingSwitch refuses a synchronization without enabled: decoded, it would switch syncing off.
func missingSwitch(o *krm.Object) *field.Error {
	n := o.Lookup("spec", "synchronization")
	if enabled := krm.Lookup(n, "enabled"); krm.IsMap(n) && (enabled == nil || krm.IsNull(enabled)) {
		return field.Required(field.NewPath("spec", "synchronization", "enabled"), "say true or false")
	}
	return nil
}
