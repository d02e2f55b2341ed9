package waybill

import (
	"fmt"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// The kinds of this package, besides PublishedResource.
const (
	KindChangeBudget = "ChangeBudget"

	// Around MapController.
	KindMapController    = "MapController"
	KindMapRequest       = "MapRequest"
	KindRelatedResources = "RelatedResources"
	KindHookRecording    = "HookRecording"

	// A backend, its contents and changes to it.
	KindBackendTable     = "BackendTable"
	KindBackendInventory = "BackendInventory"
	KindBackendPlan      = "BackendPlan"
)

// ProposalAPIVersion is the API version of the proposal for MapController. An object of it has the fields of
// the proposal; package mapcontroller reads both.
const ProposalAPIVersion = "metacontroller.k8s.io/v1alpha1"

// ReadChangeBudget decodes a ChangeBudget strictly, as do the other functions here: an unknown field or a value
// of the wrong type is an error that names the object and every such field.
func ReadChangeBudget(o *krm.Object) (*ChangeBudget, error) {
	return porchconfig.ReadAs[ChangeBudget](o, APIVersion, KindChangeBudget)
}

// ReadRelatedResources decodes a RelatedResources. Its message names no file: the object comes from a function.
func ReadRelatedResources(o *krm.Object) (*RelatedResources, error) {
	if o.APIVersion() != APIVersion || o.Kind() != KindRelatedResources {
		return nil, fmt.Errorf("%s: want a %s of %s", o.Title(), KindRelatedResources, APIVersion)
	}
	return porchconfig.ReadAs[RelatedResources](o, APIVersion, KindRelatedResources)
}

// ReadHookRecording decodes a HookRecording.
func ReadHookRecording(o *krm.Object) (*HookRecording, error) {
	return porchconfig.ReadAs[HookRecording](o, APIVersion, KindHookRecording)
}

// ReadBackendTable decodes a BackendTable. Package backend/table checks its meaning.
func ReadBackendTable(o *krm.Object) (*BackendTable, error) {
	return porchconfig.ReadAs[BackendTable](o, APIVersion, KindBackendTable)
}

// ReadBackendInventory decodes a BackendInventory.
func ReadBackendInventory(o *krm.Object) (*BackendInventory, error) {
	return porchconfig.ReadAs[BackendInventory](o, APIVersion, KindBackendInventory)
}

// ReadBackendPlan decodes a BackendPlan.
func ReadBackendPlan(o *krm.Object) (*BackendPlan, error) {
	return porchconfig.ReadAs[BackendPlan](o, APIVersion, KindBackendPlan)
}
