package ocmtest

import (
	"strings"
	"testing"
)

// TestPackage takes an object from a package to the cluster that a policy selects.
func TestPackage(t *testing.T) {
	s := newSite(t)
	p := &Package{}
	files := map[string]string{
		"Kptfile": "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: shop\npipeline:\n  mutators:\n" +
			"  - image: ghcr.io/waybill-dev/bind-resolve\n  - image: ghcr.io/waybill-dev/bundle-manifestwork\n",
		"app.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: banner\n  namespace: NS\ndata:\n  text: welcome\n",
		"policy.yaml": "apiVersion: control.kubestellar.io/v1alpha1\nkind: BindingPolicy\nmetadata:\n  name: NS\nspec:\n  clusterSelectors:\n" +
			"  - matchLabels:\n      site: edge\n  downsync:\n  - resources:\n    - configmaps\n",
		"clusters.yaml": "apiVersion: fn.waybill.dev/v1alpha1\nkind: Inventory\nmetadata:\n  name: fleet\nspec:\n  clusters:\n" +
			"  - name: CLUSTER\n    labels:\n      site: edge\n",
	}
	written := map[string][]byte{}
	for name, text := range files {
		written[name] = []byte(strings.NewReplacer("NS", s.namespace, "CLUSTER", s.Name).Replace(text))
	}
	p.Write(t, written)
	works := p.Render(t)
	if len(works) != 1 {
		t.Fatalf("want one work, got %d", len(works))
	}
	s.settle(t, works...)
	if banner := s.get(t, "v1", "ConfigMap", "banner"); banner == nil || !strings.Contains(printed(banner), `"data":{"text":"welcome"}`) {
		t.Errorf("want the object of the package on the cluster, got %v", banner)
	}
}
