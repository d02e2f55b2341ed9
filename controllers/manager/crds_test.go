package manager_test

import (
	"context"
	"os"
	"path/filepath"
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
	porchs := t.TempDir()
	for _, kind := range []string{"repositories", "packagevariants"} {
		data, err := os.ReadFile("../manifests/crds/config.porch.kpt.dev_" + kind + ".yaml")
		if err == nil {
			err = os.WriteFile(filepath.Join(porchs, kind+".yaml"), data, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	c.InstallCRDs(t, porchs)
	err = manager.Run(ctx, c.Admin(), manager.Options{Functions: noFunctions{}})
	want = "the API server does not know PackageVariantSet.v1alpha2.config.porch.kpt.dev, ChangeBudget.v1alpha1.waybill.dev: apply " +
		"config.porch.kpt.dev_packagevariantsets.yaml and waybill.dev_changebudgets.yaml of controllers/manifests/crds; " +
		"the definitions that are there, such as Porch's, serve and can stay"
	if err == nil || err.Error() != want {
		t.Errorf("some are there: got %v", err)
	}
}
