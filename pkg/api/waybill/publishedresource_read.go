package waybill

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// KindPublishedResource is a PublishedResource's, in both groups.
const KindPublishedResource = "PublishedResource"

// SyncAgentAPIVersion is the one that PublishedResource was designed under. An object of it may have the fields of
// this project, too.
const SyncAgentAPIVersion = "syncagent.kcp.io/v1alpha1"

// IsPublishedResource reports whether ReadPublishedResource is for o: its kind, of either group.
func IsPublishedResource(o *krm.Object) bool {
	return o.Kind() == KindPublishedResource && slices.Contains([]string{APIVersion, SyncAgentAPIVersion}, o.APIVersion())
}

// ReadPublishedResource decodes a PublishedResource of either group strictly: an unknown field or a value of the
// wrong type is an error that names the object and every such field. What it means, Validate says.
func ReadPublishedResource(o *krm.Object) (*PublishedResource, error) {
	if !IsPublishedResource(o) {
		return nil, fmt.Errorf("%s: want kind %q of apiVersion %q or %q, got %q",
			o.Describe(), KindPublishedResource, APIVersion, SyncAgentAPIVersion, o.APIVersion())
	}
	plain := o.WithoutOrchestration()
	limit := unfitLimit(plain)
	if limit != nil { // decoding has no good words for it
		plain = plain.DeepCopy()
		krm.RemoveField(plain.Lookup("spec"), "maxDeletions")
	}
	out := new(PublishedResource)
	faults := []error{plain.Decode(out)}
	if fault := unsaidSwitch(plain); fault != nil {
		faults = append(faults, fault)
	}
	if limit != nil {
		faults = append(faults, limit)
	}
	if err := flatten(faults); err != nil {
		return nil, fmt.Errorf("%s: %w", o.Describe(), err)
	}
	if out.APIVersion == SyncAgentAPIVersion {
		out.leaveCopies()
	}
	return out, nil
}

// leaveCopies has copies stay where nothing else is said, as kcp's API syncer does: those whose origin is service.
func (p *PublishedResource) leaveCopies() {
	for i := range p.Spec.Related {
		if r := &p.Spec.Related[i]; r.Origin == OriginService && r.Cleanup == nil && r.CleanupPolicy == "" {
			r.Cleanup = new(bool)
		}
	}
}

// wantLimit is what maxDeletions may be.
const wantLimit = "want a whole number from 0, or a percentage up to 100%"

// unfitLimit refuses a maxDeletions that is neither a number nor text.
func unfitLimit(o *krm.Object) *field.Error {
	n := o.Lookup("spec", "maxDeletions")
	if n == nil {
		return nil
	}
	at := field.NewPath("spec", "maxDeletions")
	if n.Kind != yaml.ScalarNode {
		return field.TypeInvalid(at, field.OmitValueType{}, wantLimit)
	}
	switch n.ShortTag() {
	case yaml.NodeTagString, yaml.NodeTagNull:
		return nil
	case yaml.NodeTagInt:
		if _, err := strconv.ParseInt(n.Value, 0, 32); err == nil {
			return nil
		}
	}
	return field.TypeInvalid(at, n.Value, wantLimit)
}

// unsaidSwitch refuses a synchronization that does not say whether: decoded, it would switch syncing off.
func unsaidSwitch(o *krm.Object) *field.Error {
	n := o.Lookup("spec", "synchronization")
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	if said := krm.Lookup(n, "enabled"); said == nil || said.ShortTag() == yaml.NodeTagNull {
		return field.Required(field.NewPath("spec", "synchronization", "enabled"), "say true or false")
	}
	return nil
}

// flatten is all errors as one, nil if there is none.
func flatten(errs []error) error {
	var all []error
	for _, err := range errs {
		var several utilerrors.Aggregate
		switch {
		case err == nil:
		case errors.As(err, &several):
			all = append(all, several.Errors()...)
		default:
			all = append(all, err)
		}
	}
	return utilerrors.NewAggregate(all)
}
