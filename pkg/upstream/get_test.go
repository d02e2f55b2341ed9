package upstream_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/merge"
	"github.com/waybill-dev/waybill/pkg/upstream"
)

const configMap = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web\ndata:\n  color: red\n"

const marked = `apiVersion: v1
kind: ConfigMap
metadata: # kpt-merge: /web
  name: web
  annotations:
    internal.kpt.dev/upstream-identifier: '|ConfigMap|default|web'
data:
  color: red
`

func get(t *testing.T, s memorySource, o upstream.GetOptions) *upstream.GetResult {
	t.Helper()
	got, err := upstream.Get(t.Context(), s, kptfilev1.Git{Repo: "repo", Directory: "/web", Ref: "v1"}, o)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestGet(t *testing.T) {
	for name, tc := range map[string]struct {
		reason, upstream, want string
		opts                   upstream.GetOptions
	}{
		"plain folder": {
			reason:   "a folder without a Kptfile gets the least there is",
			upstream: "-- v1:repo/web/cm.yaml --\n" + configMap,
			want:     "-- Kptfile --\n" + kptfileText("here", "repo", "/web", "v1", "v1") + "-- cm.yaml --\n" + marked,
		},
		"package": {
			reason:   "a Kptfile keeps what it says, comments included, but for its name",
			upstream: "-- v1:repo/web/Kptfile --\napiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web # ours\ninfo:\n  description: a web\n",
			want: "-- Kptfile --\n" + strings.Replace(kptfileText("here", "repo", "/web", "v1", "v1"), "name: here\n", "name: here # ours\n", 1) +
				"info:\n  description: a web\n",
		},
		"remote subpackage": {
			reason: "what a subpackage says is to be fetched is fetched, once",
			upstream: "-- v1:repo/web/db/Kptfile --\n" + kptfileText("db", "repo", "/db", "v2", "") +
				"-- v1:repo/web/old/Kptfile --\n" + kptfileText("old", "repo", "/db", "v2", "v2") +
				"-- v2:repo/db/cm.yaml --\n" + configMap,
			want: "-- Kptfile --\n" + kptfileText("here", "repo", "/web", "v1", "v1") +
				"-- db/Kptfile --\n" + kptfileText("db", "repo", "/db", "v2", "v2") +
				"-- db/cm.yaml --\n" + marked + "-- old/Kptfile --\n" + kptfileText("old", "repo", "/db", "v2", "v2"),
		},
		"deployment": {
			reason:   "a package for a cluster gets a context of its own, without a mark",
			opts:     upstream.GetOptions{Deployment: true, PackagePath: "eu/here"},
			upstream: "-- v1:repo/web/a/ctx.yaml --\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: kptfile.kpt.dev\ndata:\n  name: old\n-- v1:repo/web/cm.yaml --\n" + configMap,
			want: "-- Kptfile --\n" + kptfileText("here", "repo", "/web", "v1", "v1") + "-- cm.yaml --\n" + marked + "-- package-context.yaml --\n" +
				"apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: kptfile.kpt.dev\n  annotations:\n    config.kubernetes.io/local-config: \"true\"\ndata:\n  name: here\n  package-path: eu/here\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			tc.opts.Name = "here"
			s := shelfOf(t, tc.upstream)
			got := get(t, s, tc.opts)
			if diff := cmp.Diff(tc.want, textOf(got.Tree)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if tc.opts.Deployment { // the context gets its mark now, as in kpt
				return
			}
			again, err := upstream.Update(t.Context(), s, got.Tree, upstream.UpdateOptions{Prefer: merge.Fail})
			if err != nil {
				t.Fatalf("an update to the same: %v", err)
			}
			if diff := cmp.Diff(textOf(got.Tree), textOf(again.Tree)); diff != "" || len(again.Conflicts) > 0 {
				t.Errorf("an update to the same commit changes something (-want +got):\n%s\n%v", diff, again.Conflicts)
			}
		})
	}
}

func TestGetRefuses(t *testing.T) {
	for name, tc := range map[string]struct {
		reason, upstream, want string
		from                   kptfilev1.Git
		opts                   upstream.GetOptions
	}{
		"strategy":    {reason: "in kpt's words", opts: upstream.GetOptions{Strategy: "hope"}, want: "unrecognized update strategy hope"},
		"ref":         {reason: "what is not there", from: kptfilev1.Git{Ref: "v9"}, want: `"v9"`},
		"own kptfile": {reason: "a broken Kptfile is named", upstream: "-- v1:repo/web/Kptfile --\nkind: Nothing\n", want: "Kptfile"},
		"itself": {
			reason:   "a package that contains itself has no end",
			upstream: "-- v1:repo/web/in/Kptfile --\n" + kptfileText("in", "repo", "/web", "v1", ""),
			want:     "may contain itself",
		},
		"this machine, locked": {
			reason:   "nor in what a later update would take from here",
			from:     kptfilev1.Git{Repo: "https://git.example/r"},
			upstream: "-- v1:https:/git.example/r/web/in/Kptfile --\n" + kptfileText("in", "/home/me/private", "/", "v1", "v1"),
			want:     `package "in": upstream.git.repo in in/Kptfile is "/home/me/private", a repository of this machine`,
		},
		"this machine, in the lock": {
			reason: "wherever it is named",
			from:   kptfilev1.Git{Repo: "https://git.example/r"},
			upstream: "-- v1:https:/git.example/r/web/in/Kptfile --\n" +
				strings.Replace(kptfileText("in", "https://h/r", "/", "v1", "v1"), "upstreamLock:\n  type: git\n  git:\n    repo: https://h/r", "upstreamLock:\n  type: git\n  git:\n    repo: file:///home/me/private", 1),
			want: `upstreamLock.git.repo in in/Kptfile is "file:///home/me/private"`,
		},
		"this machine, by a third": {
			reason: "a package of this machine may bring one from elsewhere, and that one nothing of this machine",
			upstream: "-- v1:repo/web/in/Kptfile --\n" + kptfileText("in", "https://h/r", "/", "v1", "") +
				"-- v1:https:/h/r/deep/Kptfile --\n" + kptfileText("deep", "/home/me/private", "/", "v1", "v1"),
			want: "may not copy local files",
		},
		"below": {
			reason:   "it is said once where",
			upstream: "-- v1:repo/web/in/Kptfile --\n" + kptfileText("in", "repo", "/nowhere", "v1", ""),
			want:     `package "in": commit`,
		},
		"this machine": {
			reason:   "a package from elsewhere has no word in what is taken from here",
			from:     kptfilev1.Git{Repo: "https://git.example/r"},
			upstream: "-- v1:https:/git.example/r/web/in/Kptfile --\n" + kptfileText("in", "/home/me/private", "/", "v1", ""),
			want:     "may not copy local files",
		},
	} {
		t.Run(name, func(t *testing.T) {
			tc.opts.Name = "here"
			from := kptfilev1.Git{Repo: "repo", Directory: "/web", Ref: "v1"}
			if tc.from.Repo != "" {
				from.Repo = tc.from.Repo
			}
			if tc.from.Ref != "" {
				from.Ref = tc.from.Ref
			}
			if tc.upstream == "" {
				tc.upstream = "-- v1:repo/web/cm.yaml --\n" + configMap
			}
			_, err := upstream.Get(t.Context(), shelfOf(t, tc.upstream), from, tc.opts)
			if err == nil || !strings.Contains(err.Error(), tc.want) || strings.Count(err.Error(), `package "`) > 1 {
				t.Errorf("%s: got %v, want %q", tc.reason, err, tc.want)
			}
		})
	}
}

func TestGetKeepsSecrets(t *testing.T) {
	for name, tc := range map[string]struct{ reason, repo, want string }{
		"password": {"is for this once", "https://me:s3cret@git.example/r", "https://git.example/r"},
		"token":    {"so is a token in the place of the user", "https://s3cret@git.example/r", "https://git.example/r"},
		"ssh":      {"the user of SSH is no secret", "ssh://git@git.example/r", "ssh://git@git.example/r"},
		"ssh both": {"a password is", "ssh://git:s3cret@git.example/r", "ssh://git@git.example/r"},
		"scp":      {"nor is it in the short form", "git@git.example:r", "git@git.example:r"},
		"path":     {"a path has none", "/srv/r", "/srv/r"},
	} {
		t.Run(name, func(t *testing.T) {
			var events []upstream.Event
			s := anyRepo{shelfOf(t, "-- v1:repo/web/cm.yaml --\n"+configMap)}
			got, err := upstream.Get(t.Context(), s, kptfilev1.Git{Repo: tc.repo, Directory: "/web", Ref: "v1"},
				upstream.GetOptions{Name: "here", Observe: func(e upstream.Event) { events = append(events, e) }})
			if err != nil {
				t.Fatal(err)
			}
			if lock := got.Packages[0].Lock; lock.Repo != tc.want {
				t.Errorf("%s: recorded %q, want %q", tc.reason, lock.Repo, tc.want)
			}
			if strings.Contains(textOf(got.Tree), "s3cret") {
				t.Errorf("%s: the package holds the secret:\n%s", tc.reason, textOf(got.Tree))
			}
			for _, e := range events {
				if strings.Contains(e.From.Repo, "s3cret") {
					t.Errorf("%s: an event holds the secret: %+v", tc.reason, e)
				}
			}
		})
	}
}

func TestExecutable(t *testing.T) {
	s := programs{shelfOf(t, "-- v1:repo/web/run.sh --\n#!/bin/sh\n-- v1:repo/web/db/Kptfile --\n"+kptfileText("db", "repo", "/db", "v1", "")+"-- v1:repo/db/run.sh --\n#!/bin/sh\n")}
	got, err := upstream.Get(t.Context(), s, kptfilev1.Git{Repo: "repo", Directory: "/web", Ref: "v1"}, upstream.GetOptions{Name: "here"})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"db/run.sh", "run.sh"}
	if diff := cmp.Diff(want, got.Executable); diff != "" {
		t.Errorf("executables of subpackages are not named from the root (-want +got):\n%s", diff)
	}
	updated, err := upstream.Update(t.Context(), s, got.Tree, upstream.UpdateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, updated.Executable); diff != "" {
		t.Errorf("after an update, too (-want +got):\n%s", diff)
	}
}
