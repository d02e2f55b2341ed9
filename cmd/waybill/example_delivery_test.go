package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"

	"github.com/waybill-dev/waybill/controllers/clustertest"
	"github.com/waybill-dev/waybill/controllers/fluxtest"
	"github.com/waybill-dev/waybill/controllers/ocmtest"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

const deliveryExample = "../../examples/delivery"

// TestExampleDelivery runs the README of the example with the parts that users run, block by block: with addresses of this machine, and
// with a process for each terminal that runs a controller. Each block prints what the README shows, and deletes and recreates nothing.
func TestExampleDelivery(t *testing.T) {
	testenv.Need(t, testenv.Git, testenv.APIServer, testenv.OCM, testenv.Flux)
	t.Parallel()
	d := newDeliveryExample(t)
	page, dir := deliveryExample+"/README.md", d.folder(t)
	programs, _, err := testenv.APIServerPrograms.Dir()
	if err != nil {
		t.Fatal(err)
	}
	kubeconfig := "KUBECONFIG=" + d.contexts(t)
	env := append(gitUser(t), "PATH="+buildWaybill(t)+":"+programs+":"+os.Getenv("PATH"), "LC_ALL=C", kubeconfig)
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	said := ""
	for _, m := range fence.FindAllStringSubmatch(d.addresses.Replace(string(text)), -1) {
		switch block := m[2]; {
		case m[1] == "sh" && strings.HasPrefix(block, "waybill controller "):
			d.controllers = append(d.controllers, startProcessWith(t, []string{kubeconfig}, strings.Fields(block)[1:]...))
		case m[1] == "sh":
			said = runScript(t, page, block, dir, env...)
			d.afterBlock(t, block)
		case m[1] == "text" && !strings.Contains(said, block):
			t.Errorf("the README shows\n%s\nand the commands before print\n%s", block, said)
		}
	}
	if owners := ocmtest.Owners(d.far.Get(t, "apps/v1", "Deployment", "kiosk", "web")); len(owners) > 0 {
		t.Errorf("works still own what the cluster that left keeps: %q", owners)
	}
	d.end()
}

// deliveryExampleRun is what users have before they begin: a hub with Flux, two clusters, and two repositories at addresses that stand in
// for those of the example.
type deliveryExampleRun struct {
	delivery
	addresses *strings.Replacer
}

func newDeliveryExample(t *testing.T) *deliveryExampleRun {
	t.Helper()
	hub, blueprints, deployments := ocmtest.StartHub(t), gittest.NewBare(t), gittest.NewBare(t)
	d := &deliveryExampleRun{delivery: delivery{TB: t, hub: hub, near: hub.Join(t, "berlin"), far: hub.Join(t, "lyon")}}
	d.uids = []*ocmtest.Identities{d.near.Identities(), d.far.Identities()}
	d.addresses = strings.NewReplacer("https://git.example.com/blueprints.git", gittest.NewHTTP(t, blueprints),
		"https://git.example.com/deployments.git", gittest.NewHTTP(t, deployments))
	hub.InstallCRDs(t, "../../testdata/crds/combinedstatus/always")
	fluxtest.Start(t, hub.Cluster)
	return d
}

// folder is the example in a checkout, with the addresses of the repositories.
func (d *deliveryExampleRun) folder(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	for _, folder := range []string{"examples/delivery", "controllers/manifests/crds"} {
		if err := os.CopyFS(filepath.Join(root, folder), os.DirFS("../../"+folder)); err != nil {
			t.Fatal(err)
		}
	}
	dir := filepath.Join(root, "examples", "delivery")
	for _, file := range []string{"fleet.yaml", "flux.yaml"} {
		data, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			t.Fatal(err)
		}
		writeFile(t, filepath.Join(dir, file), d.addresses.Replace(string(data)), 0o644)
	}
	return dir
}

// contexts is a kubeconfig with the contexts that kind makes.
func (d *deliveryExampleRun) contexts(t *testing.T) string {
	t.Helper()
	config := api.NewConfig()
	for name, c := range map[string]*clustertest.Cluster{"kind-hub": d.hub.Cluster, "kind-berlin": d.near.Cluster, "kind-lyon": d.far.Cluster} {
		who := c.Admin()
		config.Clusters[name] = &api.Cluster{Server: who.Host, CertificateAuthorityData: who.CAData}
		config.AuthInfos[name] = &api.AuthInfo{ClientCertificateData: who.CertData, ClientKeyData: who.KeyData}
		config.Contexts[name] = &api.Context{Cluster: name, AuthInfo: name}
	}
	file := filepath.Join(t.TempDir(), "kubeconfig")
	if err := clientcmd.WriteToFile(*config, file); err != nil {
		t.Fatal(err)
	}
	return file
}

// afterBlock does what the controllers of workloads do, and wants every object to have the uid that it had.
func (d *deliveryExampleRun) afterBlock(t *testing.T, block string) {
	t.Helper()
	for i, m := range []*ocmtest.Member{d.near, d.far} {
		if m.Get(t, "apps/v1", "Deployment", "kiosk", "web") != nil {
			m.RunPods(t, "kiosk", "web")
		}
		if c := d.uids[i].Compare(t, m.Works(t)); len(c.Gone)+len(c.Recreated) > 0 {
			t.Errorf("after\n%s\nthese objects of %s are gone: %q, and these were deleted and created: %q", block, m.Name, c.Gone, c.Recreated)
		}
	}
}

// TestExampleDeliveryFiles holds the objects of the example to those that docs/delivery.md shows, and the blueprint to what its
// pipeline makes of it.
func TestExampleDeliveryFiles(t *testing.T) {
	data, err := os.ReadFile(deliveryExample + "/flux.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if want := strings.ReplaceAll(fluxtest.Objects, "URL", "https://git.example.com/deployments.git"); string(data) != want {
		t.Errorf("flux.yaml has\n%s\nwant\n%s", data, want)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(deliveryExample+"/kiosk")); err != nil {
		t.Fatal(err)
	}
	waybill(t, "fn", "render", dir)
	if changed := readTree(t, deliveryExample+"/kiosk").Diff(readTree(t, dir)); len(changed) > 0 {
		t.Errorf("a render changes %v", changed)
	}
}
