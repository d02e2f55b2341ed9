package waybill

import (
	"fmt"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// The kinds around MapController.
const (
	KindMapController    = "MapController"
	KindMapRequest       = "MapRequest"
	KindRelatedResources = "RelatedResources"
	KindHookRecording    = "HookRecording"
)

// ProposalAPIVersion is the one that MapController was proposed under. An object of it holds what the
// proposal has; package mapping reads both.
const ProposalAPIVersion = "metacontroller.k8s.io/v1alpha1"

// ReadMapRequest decodes a MapRequest strictly: an unknown field or a value of the wrong type is an error that names
// the object and every such field.
func ReadMapRequest(o *krm.Object) (*MapRequest, error) {
	return porchconfig.ReadAs[MapRequest](o, APIVersion, KindMapRequest)
}

// ReadRelatedResources decodes a RelatedResources as strictly. Its message begins with no file: it comes
// from a function.
func ReadRelatedResources(o *krm.Object) (*RelatedResources, error) {
	if o.APIVersion() != APIVersion || o.Kind() != KindRelatedResources {
		return nil, fmt.Errorf("%s: want a %s of %s", o.Title(), KindRelatedResources, APIVersion)
	}
	return porchconfig.ReadAs[RelatedResources](o, APIVersion, KindRelatedResources)
}

// ReadHookRecording decodes a HookRecording as strictly.
func ReadHookRecording(o *krm.Object) (*HookRecording, error) {
	return porchconfig.ReadAs[HookRecording](o, APIVersion, KindHookRecording)
}
