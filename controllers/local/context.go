package local

import (
	"context"

	"github.com/waybill-dev/waybill/pkg/injection"
)

// Lister lists the context objects of a namespace.
func (in *Input) Lister(_ context.Context, namespace string) injection.Lister {
	return injection.FromObjects(in.Context, namespace)
}
