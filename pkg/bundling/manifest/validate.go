package manifest

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/validate/content"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// Validate returns why no hub would take a work that holds o as it ships. The schema of works embeds
// their objects, so the API server of a hub checks type and metadata of each; one invalid label makes it
// refuse the whole work.
func Validate(o *krm.Object) error {
	faults := append(checkType(o), checkMetadata(o)...)
	if len(faults) == 0 {
		return nil
	}
	slices.Sort(faults) // labels have no order
	return errors.New("hubs refuse it: " + strings.Join(slices.Compact(faults), "; "))
}

func checkType(o *krm.Object) (faults []string) {
	if o.APIVersion() == "" {
		faults = append(faults, "apiVersion: Required value")
	} else if _, err := schema.ParseGroupVersion(o.APIVersion()); err != nil {
		faults = append(faults, fmt.Sprintf("apiVersion: Invalid value: %q", o.APIVersion()))
	}
	if o.Kind() == "" {
		return append(faults, "kind: Required value")
	}
	for _, why := range validation.IsDNS1035Label(strings.ToLower(o.Kind())) {
		faults = append(faults, fmt.Sprintf("kind: Invalid value: %q: %s", o.Kind(), why))
	}
	return faults
}

func checkMetadata(o *krm.Object) (faults []string) {
	at := field.NewPath("metadata")
	var meta metav1.ObjectMeta
	if err := krm.DecodeLoose(o.Lookup("metadata"), at, &meta); err != nil {
		return []string{err.Error()}
	}
	if meta.Name == "" {
		meta.Name, faults = "any", append(faults, "metadata.name: Required value")
	}
	name := func(name string, _ bool) []string { return content.IsPathSegmentName(name) } // the rule of every kind; many have stricter ones
	for _, err := range apivalidation.ValidateObjectMeta(&meta, meta.Namespace != "", name, at) {
		faults = append(faults, err.Error())
	}
	return faults
}
