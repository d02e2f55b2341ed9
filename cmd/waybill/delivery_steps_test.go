package main

import (
	"os"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/controllers/fluxtest"
)

// deliveryStep is a release of the package in the life of a fleet, and what it does to the objects of both clusters.
type deliveryStep struct {
	name, expected string
	near, far      string // what their uids say
	ready          string // what the collector says of the Deployment afterwards, by cluster
	change         func(d *delivery)
	meanwhile      func(d *delivery) // what happens between the approval and the arrival
	after          func(d *delivery) // what clusters do by themselves afterwards, and what else is to hold
}

// deliverySteps is the life of a fleet. docs/delivery.md has it as a table.
var deliverySteps = []deliveryStep{
	{name: "a fleet begins", expected: "the near cluster gets all objects", near: "8 new", far: "", ready: "near=1",
		after: func(d *delivery) {
			d.near.BindClaim(d, d.Namespace, "data")
			d.near.RunPods(d, d.Namespace, "web")
		}},
	{name: "an image changes", expected: "the Deployment is updated in place", near: "8 kept", far: "", ready: "near=1",
		change: func(d *delivery) { d.Replace(d, "web:1", "web:2") }},
	{name: "an object comes", expected: "it is created, and no other changes", near: "8 kept, 1 new", far: "", ready: "near=1",
		change: func(d *delivery) { d.Add("aaa.yaml", "v1", "ConfigMap", "aaa", "data: {key: value}\n") }},
	{name: "an object goes", expected: "the agent deletes it, and nothing else", near: "8 kept, 1 gone", far: "", ready: "near=1",
		change: func(d *delivery) { delete(d.Texts, "aaa.yaml") }},
	{name: "a definition grows", expected: "the objects of its kind stay", near: "8 kept", far: "", ready: "near=1",
		change: func(d *delivery) { d.GrowDefinition(100_000) },
		after:  func(d *delivery) { d.near.FinishJob(d, d.Namespace, "once") }},
	{name: "a Job has finished", expected: "it is applied again, and does not run again", near: "8 kept", far: "", ready: "near=1",
		change: func(d *delivery) { d.Replace(d, "tier: one", "tier: two") },
		after:  func(d *delivery) { d.finished("once") }},
	{name: "a cluster joins", expected: "it gets all objects; the others keep theirs", near: "8 kept", far: "8 new", ready: "far=1 near=1",
		change: func(d *delivery) { d.Replace(d, "site: none", "site: edge") },
		after:  func(d *delivery) { d.far.RunPods(d, d.Namespace, "web") }},
	{name: "a template differs per cluster", expected: "each cluster has its own text", near: "8 kept", far: "8 kept", ready: "far=1 near=1",
		change: func(d *delivery) {
			d.Replace(d, "name: banner\n", "name: banner\n  annotations: {control.kubestellar.io/expand-templates: 'true'}\n")
			d.Replace(d, "text: welcome", "text: 'welcome to {{.clusterName}}'")
		},
		after: func(d *delivery) { d.greets(d.near); d.greets(d.far) }},
	{name: "a policy is renamed", expected: "works of both names have the objects", near: "8 kept", far: "8 kept", ready: "far=1 near=1",
		change: func(d *delivery) { d.Replace(d, "name: NS # policy", "name: NS-2 # policy") }},
	{name: "the rename is finished", expected: "the works of the earlier name go, without their objects", near: "8 kept", far: "8 kept", ready: "far=1 near=1",
		change: func(d *delivery) { d.options("handOver: finish") }},
	{name: "a cluster leaves", expected: "its works release the objects", near: "8 kept", far: "8 kept", ready: "near=1",
		change: func(d *delivery) {
			d.options("whenClusterLeaves: orphan")
			d.Replace(d, "site: edge # far", "site: none # far")
		}},
	{name: "the leave is finished", expected: "its works go; the objects stay, and no work owns them", near: "8 kept", far: "8 kept", ready: "near=1",
		change: func(d *delivery) { d.options("whenClusterLeaves: orphan", "handOver: finish") },
		after:  func(d *delivery) { d.owned(d.far, 0) }},
	{name: "the cluster joins again", expected: "works adopt the objects that are there", near: "8 kept", far: "8 kept", ready: "far=1 near=1",
		change: func(d *delivery) { d.options(); d.Replace(d, "site: none # far", "site: edge # far") },
		after: func(d *delivery) {
			d.owned(d.near, 1)
			d.owned(d.far, 1)
			d.prints("Deployment shop/web (shop-2): 2 of 2 clusters reported\n")
		}},
	{name: "a cluster is away", expected: "the others are updated; it follows when it is back", near: "8 kept", far: "8 kept", ready: "far=1 near=1",
		change: func(d *delivery) { d.far.Offline(); d.Replace(d, "web:2", "web:3") },
		meanwhile: func(d *delivery) {
			d.has(d.near, "web:3")
			d.has(d.far, "web:2")
			if pending := d.flux.Pending(d, d.published()); !strings.HasPrefix(pending, "works: Unknown Progressing") {
				d.Errorf("Flux does not wait for the cluster that is away: %q", pending)
			}
			d.far.Online(d)
		}},
}

// TestDeliveryPage holds docs/delivery.md to the steps, and to the objects by which Flux delivers.
func TestDeliveryPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/delivery.md")
	if err != nil {
		t.Fatal(err)
	}
	table := "<!-- steps -->\n| step | expected | uids of the near cluster | uids of the far cluster |\n|---|---|---|---|\n"
	for _, s := range deliverySteps {
		table += "| " + strings.Join([]string{s.name, s.expected, s.near, s.far}, " | ") + " |\n"
	}
	for _, want := range []string{table + "\n", "```yaml\n" + fluxtest.Objects + "```\n"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("docs/delivery.md does not have\n%s", want)
		}
	}
}
