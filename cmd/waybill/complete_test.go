package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// What shells do where the program proposes nothing.
const (
	files   = "0"
	nothing = "4"
	open    = "6" // nothing, and no space behind a proposal
	endings = "8"
	folders = "16"
)

// TestComplete presses the tab key behind many command lines. The last word is the one to complete.
func TestComplete(t *testing.T) {
	w := newCompleteWorld(t)
	before := snapshot(t, w.dir)
	cases := []struct{ reason, words, want, directive string }{
		{"drafts can be proposed", "rpkg|propose|-f|one.yaml|", "deployments.eu.web.one deployments.us.web.one", nothing},
		{"only proposals can be approved", "rpkg|approve|-f|one.yaml|", "deployments.eu.api.two", nothing},
		{"a proposal to delete can be rejected, too", "rpkg|reject|-f|one.yaml|", "deployments.eu.api.two deployments.eu.old.v1", nothing},
		{"only published revisions are proposed for deletion", "rpkg|propose-delete|-f|one.yaml|", "deployments.base.v1", nothing},
		{"what is published is not deleted at once", "rpkg|del|-f|one.yaml|deployments.e", "deployments.eu.api.two deployments.eu.old.v1 deployments.eu.web.one", nothing},
		{"what is named already is not named again", "rpkg|propose|-f|one.yaml|deployments.us.web.one|", "deployments.eu.web.one", nothing},
		{"every revision can be read", "rpkg|get|-f|one.yaml|deployments.b", "deployments.base.v1", nothing},
		{"the folder comes after the name", "rpkg|pull|-f|one.yaml|deployments.base.v1|", "", folders},
		{"names of two namespaces are told apart", "rpkg|propose|-f|repositories.yaml|fleet/deployments.eu", "fleet/deployments.eu.web.one", nothing},
		{"the namespace counts", "rpkg|propose|-f|repositories.yaml|-n|lab|", "deployments.eu.web.one deployments.us.web.one", nothing},
		{"stdin belongs to the shell", "rpkg|propose|-f|-|", "", nothing},
		{"without files there is no list of names", "rpkg|propose|", "", nothing},
		{"a broken file gives no list", "rpkg|propose|-f|fleet/broken.yaml|", "", nothing},
		{"namespaces of the Repository objects", "rpkg|get|-f|repositories.yaml|-n|", "far fleet lab", nothing},
		{"namespaces of the kubeconfig", "rpkg|get|-n|", "default fleet lab", nothing},
		{"the last of a list", "rpkg|get|--lifecycle|Draft,P", "Draft,Proposed Draft,Published", nothing},
		{"packages", "rpkg|get|-f|one.yaml|--package|eu/", "eu/api eu/old eu/web", nothing},
		{"workspaces", "rpkg|get|-f|one.yaml|--workspace|", "one two v1", nothing},
		{"revisions", "rpkg|get|-f|one.yaml|--revision|", "0 1", nothing},
		{"files of objects", "rpkg|get|-f|", "yaml yml json", endings},

		{"clusters of inventory and folders; the broken file does not matter", "fleet|explain|--dir|fleet|", "basel-1 lab-1 zurich-1", open},
		{"the folder counts", "fleet|explain|--dir|other|", "", open},
		{"objects, as the command takes them", "fleet|explain|--dir|fleet|zurich-1/", "zurich-1/deployment.apps/shop/web zurich-1/deployment.example.com/shop/other zurich-1/namespace/shop", open},
		{"and what one cluster receives", "fleet|explain|--dir|fleet|basel-1/c", "basel-1/configmap/shop/only-basel", open},
		{"one question at a time", "fleet|explain|--dir|fleet|lab-1|", "", open},
		{"a cluster to leave out", "fleet|preview|--dir|fleet|--without-cluster|l", "lab-1", nothing},
		{"a cluster to label", "fleet|report|--dir|fleet|--cluster-label|z", "zurich-1=", open},
		{"a range begins with a commit", "fleet|preview|f", "feature/x.. fleet fleet/sub", open},
		{"a range ends with one", "fleet|preview|main..v", "main..v1", open},
		{"or with the merge base", "fleet|report|origin/main...f", "origin/main...feature/x", open},
		{"two folders", "fleet|preview|fleet|fleet/", "fleet/sub", open},
		{"a range has no second argument", "fleet|preview|main..HEAD|", "", nothing},
		{"not three", "fleet|preview|fleet|fleet|", "", nothing},
		{"formats", "fleet|preview|-o|ma", "markdown", nothing},

		{"folders with a Kptfile; no hidden ones, nor such that a shell runs", "fn|render|", "fleet fleet/sub", nothing},
		{"below what is typed", "fn|render|./fl", "./fleet ./fleet/sub", nothing},
		{"only one", "fn|render|fleet|", "", nothing},
		{"where no package is, all folders", "fn|render|oth", "", folders},
		{"outputs", "fn|render|fleet|-o|u", "unwrap", nothing},
		{"or a folder", "fn|render|fleet|-o|x", "", folders},
		{"images of linked functions", "fn|eval|fleet|-i|set-l", "set-labels:v0.2", nothing},
		{"tags that functions stand in for", "fn|eval|fleet|-i|set-labels|--tag|v", "v0.1 v0.2", nothing},
		{"functions", "fn|run|set-n", "set-namespace", nothing},
		{"one function", "fn|run|set-namespace|", "", nothing},
		{"durations are typed", "fn|render|--timeout|", "", nothing},
		{"refs of the upstream on this machine", "pkg|update|fleet@v", "fleet@v1", nothing},
		{"as bash has the words", "pkg|diff|fleet|@|v", "v1", nothing},
		{"and before a letter is typed", "pkg|diff|fleet|@", "@HEAD @base/v1 @deletionProposed/eu/old/v1 @drafts/eu/web/one @drafts/lab @drafts/us/web/one @eu/old/v1 @main @proposed/eu/api/two @v1", nothing},
		{"refs of a repository on this machine", "pkg|get|REPO.git/base@v", "REPO.git/base@v1", nothing},
		{"no server is asked", "pkg|get|http://127.0.0.1:1/r.git/base@", "", nothing},
		{"folders to merge", "pkg|merge|--base|fleet/s", "fleet/sub", nothing},
		{"strategies", "pkg|update|--strategy|f", "fast-forward force-delete-replace", nothing},

		{"built-in tables", "push|plan|--backend|m", "midonet", files},
		{"or a file", "push|table|one", "", files},
		{"a file of a plan", "push|apply|--plan|", "", files},
		{"contexts", "doctor|--context|", "hub lab-1", nothing},
		{"of the named kubeconfig", "doctor|--kubeconfig|none|--context|", "", nothing},
		{"workspaces of the sync", "controller|--sync-kubeconfig|kubeconfig|--sync-context|h", "hub", nothing},
		{"namespaces to work in", "controller|--namespace|fleet,l", "fleet,lab", nothing},
		{"levels", "controller|--log-level|w", "warn", nothing},
		{"commands to read about", "help|fleet|p", "preview", nothing},
		{"no arguments", "version|", "", nothing},
		{"an unknown flag", "fn|render|--nope|", "", files},
	}
	for _, tc := range cases {
		words := strings.Split(strings.ReplaceAll(tc.words, "REPO", strings.TrimSuffix(w.repo, ".git")), "|")
		got, directive := w.complete(t, words...)
		want := strings.Fields(strings.ReplaceAll(tc.want, "REPO", strings.TrimSuffix(w.repo, ".git")))
		if diff := cmp.Diff(want, got); diff != "" && len(want)+len(got) > 0 || directive != tc.directive {
			t.Errorf("%s: %q: directive %s, want %s (-want +got):\n%s", tc.reason, words, directive, tc.directive, diff)
		}
	}
	if diff := cmp.Diff(before, snapshot(t, w.dir)); diff != "" {
		t.Errorf("completion wrote files (-before +after):\n%s", diff)
	}
	for file := range snapshot(t, lookup(w.env, "HOME")) {
		if strings.Contains(file, "waybill") || strings.Contains(file, ".kube") {
			t.Errorf("completion wrote to the home folder: %s", file)
		}
	}
	if n := w.asked.Load(); n > 0 {
		t.Errorf("completion contacted a server %d times", n)
	}
}

// TestCompleteEverywhere wants a decision about every flag and argument: files where help says so, else nothing.
func TestCompleteEverywhere(t *testing.T) {
	for _, cmd := range commands() {
		if cmd.Runnable() && cmd.ValidArgsFunction == nil && cmd.HasParent() {
			t.Errorf("%s: no completion of its arguments", cmd.CommandPath())
		}
	}
	root := newRootCommand()
	for path, want := range map[string]cobra.ShellCompDirective{
		"push apply --inventory": cobra.ShellCompDirectiveDefault, "image build --tarball-dir": cobra.ShellCompDirectiveFilterDirs,
		"push apply --url": cobra.ShellCompDirectiveNoFileComp, "controller --workers": cobra.ShellCompDirectiveNoFileComp,
	} {
		words := strings.Fields(path)
		cmd, _, err := root.Find(words[:len(words)-1])
		if err != nil {
			t.Fatal(err)
		}
		complete, ok := cmd.GetFlagCompletionFunc(strings.TrimPrefix(words[len(words)-1], "--"))
		if !ok {
			t.Errorf("%s: no completion", path)
		} else if _, directive := complete(cmd, nil, ""); directive != want {
			t.Errorf("%s: directive %d, want %d", path, directive, want)
		}
	}
}

// TestCompleteEnds gives up on a file that no process writes, and a stdin that stays open.
func TestCompleteEnds(t *testing.T) {
	w := newCompleteWorld(t)
	pipe := filepath.Join(w.dir, "pipe.yaml")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	w.env = append(w.env, "WAYBILL_COMPLETION_TIMEOUT=50ms")
	begin := time.Now()
	if got, directive := w.complete(t, "rpkg", "propose", "-f", pipe, ""); len(got) > 0 || directive != nothing {
		t.Errorf("it proposes %q, directive %s", got, directive)
	}
	if took := time.Since(begin); took > 30*time.Second {
		t.Errorf("it took %s", took)
	}
}

// bashWords is the part of bash-completion that cobra's script needs, for words without = and :.
const bashWords = `_get_comp_words_by_ref() { words=("${COMP_WORDS[@]}"); cword=$COMP_CWORD; cur="${COMP_WORDS[COMP_CWORD]}"; prev="${COMP_WORDS[COMP_CWORD-1]}"; }
_filedir() { COMPREPLY+=(FILES); }
compopt() { :; }
`

// TestCompleteInBash loads the script into bash, and has bash complete words as it splits them.
func TestCompleteInBash(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Fatal("the tests need bash")
	}
	w := newCompleteWorld(t)
	for _, tc := range []struct{ reason, words, want string }{
		{"one name", "waybill rpkg approve -f one.yaml ''", "deployments.eu.api.two"},
		{"the @ is a word", "waybill pkg update fleet @ v", "v1"},
		{"behind the @", "waybill pkg update fleet @", "@HEAD @base/v1 @deletionProposed/eu/old/v1 @drafts/eu/web/one @drafts/lab @drafts/us/web/one @eu/old/v1 @main @proposed/eu/api/two @v1"},
		{"commits that a shell would run are no proposals", "waybill fleet preview '$'", "FILES"},
		{"files by ending", "waybill rpkg get -f ''", "FILES"},
		{"clusters of a folder", "waybill fleet explain --dir fleet z", "zurich-1"},
	} {
		script := bashWords + `source <(waybill completion bash)
COMP_WORDS=(` + tc.words + `); COMP_CWORD=$((${#COMP_WORDS[@]}-1)); COMP_LINE="${COMP_WORDS[*]}"; COMP_POINT=${#COMP_LINE}; COMP_TYPE=9
__start_waybill
echo "${COMPREPLY[*]}"`
		cmd := exec.Command(bash, "--norc", "-c", script)
		cmd.Dir, cmd.Env = w.dir, w.env
		out, err := cmd.CombinedOutput()
		if got := strings.TrimSpace(string(out)); err != nil || got != tc.want {
			t.Errorf("%s: %s: %v, %q, want %q", tc.reason, tc.words, err, got, tc.want)
		}
	}
	if refs := gittest.Refs(t, w.repo); !strings.Contains(refs, "touch-pwned") {
		t.Error("the hostile branch is missing")
	}
}
