package porch_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/api/porch"
)

func TestTaskJSON(t *testing.T) {
	ref := func(n string) porch.PackageRevisionRef { return porch.PackageRevisionRef{Name: n} }
	for name, tc := range map[string]struct {
		reason string
		task   porch.Task
		want   string
	}{
		"render": {
			reason: "a task without a part is its type alone",
			task:   porch.Task{Type: porch.TaskRender},
			want:   `{"type":"render"}`,
		},
		"init": {
			reason: "empty options of init are left out",
			task:   porch.Task{Type: porch.TaskInit, Init: &porch.InitTask{Description: "a shop"}},
			want:   `{"type":"init","init":{"description":"a shop"}}`,
		},
		"clone of a revision": {
			reason: "upstreamRef is doubled",
			task: porch.Task{Type: porch.TaskClone, Clone: &porch.CloneTask{Upstream: porch.UpstreamPackage{
				UpstreamRef: &porch.PackageRevisionRef{Name: "blueprints.upf.v3"}}}},
			want: `{"type":"clone","clone":{"upstreamRef":{"upstreamRef":{"name":"blueprints.upf.v3"}}}}`,
		},
		"clone of a git directory": {
			reason: "the keys come in the order of the API",
			task: porch.Task{Type: porch.TaskClone, Clone: &porch.CloneTask{Upstream: porch.UpstreamPackage{
				Type: porch.RepositoryGit,
				Git:  &porch.GitPackage{Repo: "https://git.example/b.git", Ref: "upf/v3", Directory: "upf", SecretRef: &porch.SecretRef{Name: "s"}}}}},
			want: `{"type":"clone","clone":{"upstreamRef":{"type":"git","git":{"repo":"https://git.example/b.git","ref":"upf/v3","directory":"upf","secretRef":{"name":"s"}}}}}`,
		},
		"edit": {
			reason: "an edit names its source",
			task:   porch.Task{Type: porch.TaskEdit, Edit: &porch.EditTask{Source: &porch.PackageRevisionRef{Name: "edge.upf.v1"}}},
			want:   `{"type":"edit","edit":{"sourceRef":{"name":"edge.upf.v1"}}}`,
		},
		"upgrade": {
			reason: "an upgrade names three revisions, and a strategy when one was asked for",
			task: porch.Task{Type: porch.TaskUpgrade, Upgrade: &porch.UpgradeTask{
				OldUpstream: ref("b.upf.v1"), NewUpstream: ref("b.upf.v2"), LocalPackageRevision: ref("e.upf.v1"), Strategy: "resource-merge"}},
			want: `{"type":"upgrade","upgrade":{"oldUpstreamRef":{"name":"b.upf.v1"},"newUpstreamRef":{"name":"b.upf.v2"},"localPackageRevisionRef":{"name":"e.upf.v1"},"strategy":"resource-merge"}}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := json.Marshal(tc.task)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, string(got)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			var back porch.Task
			if err := json.Unmarshal(got, &back); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.task, back); diff != "" {
				t.Errorf("%s: reading gives back what was written (-want +got):\n%s", tc.reason, diff)
			}
			if want := tc.task.Type != porch.TaskRender; back.Creates() != want {
				t.Errorf("%s: Creates() = %v, want %v", tc.reason, back.Creates(), want)
			}
		})
	}
}
