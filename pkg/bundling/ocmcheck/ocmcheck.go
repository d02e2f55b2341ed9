// Package ocmcheck checks whether an OCM hub and its agents would take ManifestWorks.
//
// Shape: ManifestWork objects in, violations out, one line each, in the order of the works. It
// reads the works from the bytes that a GitOps agent reads, into OCM's own types. It shares no code
// with the package that makes them, so that it does not repeat its mistakes.
// Cost: one encoding and one decoding of every work. For tests, and for checks afterwards.
// Errors: none; a work that cannot be read is a violation.
// Source: OCM's ManifestWork API v1 and the rules of its admission webhook and work agent:
// at least one manifest, each with a name, a limit of encoded bytes, names up to 188. Its CRD
// embeds manifests as resources, whose metadata an API server checks like any other. etcd limits what a hub
// can store.
package ocmcheck

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	workv1 "open-cluster-management.io/api/work/v1"
	"sigs.k8s.io/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// DefaultManifestLimit is the hub's own default for the encoded bytes of one work's manifests.
const DefaultManifestLimit = 512000

// maxWorkName leaves room for the hash before the name of an AppliedManifestWork.
const maxWorkName = 188

// Violations lists what is wrong with the works, with the namespace and name of each.
// No work may hold more than manifestLimit encoded bytes.
func Violations(works []*krm.Object, manifestLimit int) (faults []string) {
	seen := map[string]bool{}
	for i, o := range works {
		who := fmt.Sprintf("works[%d] %s/%s: ", i, o.Namespace(), o.Name())
		for _, fault := range check(o, manifestLimit) {
			faults = append(faults, who+fault)
		}
		if key := o.Namespace() + "/" + o.Name(); seen[key] {
			faults = append(faults, who+"a second work of this namespace and name")
		} else {
			seen[key] = true
		}
	}
	return faults
}

// Works returns the ManifestWorks among items.
func Works(items []*krm.Object) []*krm.Object {
	return slices.DeleteFunc(slices.Clone(items), func(o *krm.Object) bool {
		return !o.Is(workv1.GroupName, "ManifestWork")
	})
}

func check(o *krm.Object, manifestLimit int) []string {
	data, err := krm.Write([]*krm.Object{o})
	if err != nil {
		return []string{"cannot be written: " + err.Error()}
	}
	var w workv1.ManifestWork
	if err := yaml.UnmarshalStrict(data, &w); err != nil {
		return []string{"does not decode as a ManifestWork: " + err.Error()}
	}
	faults := append(checkReaders(o, data), checkHead(o, &w)...)
	manifests, more := checkManifests(&w, manifestLimit)
	faults = append(append(faults, more...), checkOptions(&w.Spec, manifests)...)
	return append(append(faults, checkConfigs(&w, manifests)...), checkSent(data, &w)...)
}

// checkReaders compares how krm and the YAML 1.1 readers of tools and servers read the work: a
// bare yes is text to one and a boolean to the others.
func checkReaders(o *krm.Object, data []byte) []string {
	var ours, theirs any
	text, err := krm.CanonicalJSON(o.WithoutOrchestration().Node())
	if err == nil {
		err = json.Unmarshal(text, &ours)
	}
	if err == nil {
		err = yaml.Unmarshal(data, &theirs)
	}
	switch {
	case err != nil:
		return []string{"cannot be read: " + err.Error()}
	case !reflect.DeepEqual(ours, theirs):
		return []string{"is read as something else by YAML 1.1 readers; quote what is text"}
	}
	return nil
}

func checkHead(o *krm.Object, w *workv1.ManifestWork) (faults []string) {
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	if w.APIVersion != workv1.GroupVersion.String() || w.Kind != "ManifestWork" {
		fault("is a %s %s, not a %s ManifestWork", w.APIVersion, w.Kind, workv1.GroupVersion)
	}
	for _, why := range checkMeta(&w.ObjectMeta, true, apivalidation.NameIsDNSSubdomain) {
		fault("%s", why)
	}
	if len(w.Name) > maxWorkName {
		fault("name has %d characters, more than %d", len(w.Name), maxWorkName)
	}
	if o.Lookup("status") != nil || o.Lookup("metadata", "creationTimestamp") != nil {
		fault("carries what only a server writes: status or creationTimestamp")
	}
	return faults
}

// checkMeta checks metadata with the code of the API server. name is the rule for names, which depends on the kind.
func checkMeta(m *metav1.ObjectMeta, namespaced bool, name apivalidation.ValidateNameFunc) (faults []string) {
	for _, err := range apivalidation.ValidateObjectMeta(m, namespaced, name, field.NewPath("metadata")) {
		faults = append(faults, err.Error())
	}
	slices.Sort(faults) // labels have no order
	return faults
}

// reserved reports whether an annotation must not reach a cluster: those of this project, and those
// between functions.
func reserved(annotation string) bool {
	return strings.HasPrefix(annotation, "waybill.dev/") || krm.IsOrchestration(annotation)
}
