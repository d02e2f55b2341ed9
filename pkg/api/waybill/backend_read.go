package waybill

import (
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// The kinds that describe a backend and what is done to it.
const (
	KindBackendTable     = "BackendTable"
	KindBackendInventory = "BackendInventory"
	KindBackendPlan      = "BackendPlan"
)

// ReadBackendTable decodes a BackendTable strictly: an unknown field or a value of the wrong type is
// an error that names the object and every such field. What the table means is checked where it is
// made ready for use.
func ReadBackendTable(o *krm.Object) (*BackendTable, error) {
	return porchconfig.ReadAs[BackendTable](o, APIVersion, KindBackendTable)
}

// ReadBackendInventory decodes a BackendInventory as strictly.
func ReadBackendInventory(o *krm.Object) (*BackendInventory, error) {
	return porchconfig.ReadAs[BackendInventory](o, APIVersion, KindBackendInventory)
}

// ReadBackendPlan decodes a BackendPlan as strictly.
func ReadBackendPlan(o *krm.Object) (*BackendPlan, error) {
	return porchconfig.ReadAs[BackendPlan](o, APIVersion, KindBackendPlan)
}
