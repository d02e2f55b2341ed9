package main

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// balancerKinds are those that the page on pushing tells of.
var balancerKinds = []restKind{
	{name: "pool", collection: "/pools", item: "/pools/{id}", names: map[string]string{"monitorId": "monitor"}, put: true},
	{name: "member", collection: "/pools/{parent}/members", item: "/members/{id}", below: "pool"},
	{name: "monitor", collection: "/monitors", item: "/monitors/{id}"},
}

// TestPushPage runs the page on pushing against a server that does what the page says of it.
func TestPushPage(t *testing.T) {
	const page, token = "../../docs/push.md", "hush-4812"
	s := newRESTServer(t, token, balancerKinds...)
	dir := t.TempDir()
	out := runPage(t, page, dir, strings.NewReplacer("https://balancer.example.com", s.URL), "PATH="+buildWaybill(t)+":"+os.Getenv("PATH"), "BALANCER_TOKEN="+token)
	checkShown(t, page, "", out)
	want := []string{
		`member m-1 in pool 4a0c7f52-0000-4000-8000-000000000001: {"id":"m-1","address":"10.1.2.9"}`,
		`monitor m-http in  : {"id":"m-http","path":"/healthz"}`,
		`pool 4a0c7f52-0000-4000-8000-000000000001 in  : {"id":"4a0c7f52-0000-4000-8000-000000000001","port":80,"monitorId":"m-http"}`,
	}
	if diff := cmp.Diff(want, s.holds()); diff != "" {
		t.Errorf("in the end (-want +got):\n%s", diff)
	}
	t.Chdir(dir)
	checkHidden(t, []string{token}, cliRun{stdout: out})
}
