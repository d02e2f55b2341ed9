package manager_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/waybill-dev/waybill/controllers/clustertest"
	"github.com/waybill-dev/waybill/controllers/manager"
)

// TestWithoutCRDs says which kinds an API server lacks, and where to find them.
func TestWithoutCRDs(t *testing.T) {
	c := clustertest.Start(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	err := manager.Run(ctx, c.Admin(), manager.Options{Functions: noFunctions{}})
	want := "the API server does not know Repository.v1alpha1.config.porch.kpt.dev, PackageVariant.v1alpha1.config.porch.kpt.dev, " +
		"PackageVariantSet.v1alpha2.config.porch.kpt.dev, ChangeBudget.v1alpha1.waybill.dev: apply the CustomResourceDefinitions of controllers/manifests/crds first"
	if err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %v", err)
	}
}
