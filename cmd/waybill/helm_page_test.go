package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/controllers/clustertest"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// TestHelmPage runs the page on the chart against a real API server: in the end there are two releases that divide the work.
func TestHelmPage(t *testing.T) {
	testenv.Need(t, testenv.Helm, testenv.APIServer)
	c := clustertest.Start(t)
	helm, err := testenv.HelmProgram()
	if err != nil {
		t.Fatal(err)
	}
	programs, _, err := testenv.APIServerPrograms.Dir()
	if err != nil {
		t.Fatal(err)
	}
	runPage(t, "../../docs/helm.md", "../..", strings.NewReplacer(), "KUBECONFIG="+c.Kubeconfig(t, c.Admin()),
		"PATH="+strings.Join([]string{programs, filepath.Dir(helm), os.Getenv("PATH")}, ":"), "HOME="+t.TempDir())
	got, err := c.Kubectl(t, c.Admin(), "", "get", "deployments", "-n", "waybill-system", "-o",
		`jsonpath={range .items[*]}{.metadata.name} {.spec.template.spec.containers[0].args[5:]}{"\n"}{end}`)
	if err != nil {
		t.Fatal(err)
	}
	want := "waybill-a-controller --watch-label-selector=sharding.example.com/key=a --leader-elect-lease=waybill-a-shard.controller.waybill.dev\n" +
		"waybill-controller --watch-label-selector=!sharding.example.com/key --leader-elect-lease=waybill-shard.controller.waybill.dev\n"
	if diff := cmp.Diff(want, strings.NewReplacer(`["`, "", `","`, " ", `"]`, "").Replace(got)); diff != "" {
		t.Errorf("the releases (-want +got):\n%s", diff)
	}
}
