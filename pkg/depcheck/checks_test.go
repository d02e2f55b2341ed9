package depcheck

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// graph builds a Graph from lines "from: to to", in names of the module; names with a dot in their
// first element, and those of the standard library, are taken as they stand. A "test:" before the
// name makes the imports those of test files.
func graph(lines ...string) Graph {
	g := Graph{}
	for _, line := range lines {
		name, tests := strings.CutPrefix(line, "test:")
		name, tos, _ := strings.Cut(name, ":")
		p := Package{ImportPath: full(name)}
		for _, to := range strings.Fields(tos) {
			p.Imports = append(p.Imports, full(to))
		}
		if tests {
			p.Imports, p.XTestImports = nil, p.Imports
		}
		g[p.ImportPath] = p
	}
	return g
}

func full(name string) string {
	top, _, _ := strings.Cut(name, "/")
	if strings.Contains(top, ".") || top == "fmt" {
		return name
	}
	return Module + "/" + name
}

func TestCheckDenials(t *testing.T) {
	rows := []Denial{
		{From: "functions", Deny: "k8s.io/client-go", Why: "no client"},
		{From: "pkg", Deny: Module + "/cmd", Why: "no leaves"},
		{From: "cmd/tool", Deny: "k8s.io/client-go", Why: "quick", Alone: true},
		{From: "", Deny: "github.com/kptdev/kpt", Except: "github.com/kptdev/kpt/api", Why: "no kpt"},
	}
	cases := map[string]struct {
		reason string
		g      Graph
		want   []string
	}{
		"Direct": {
			reason: "a library that imports a leaf is caught",
			g:      graph("pkg/fn: cmd/waybill fmt", "cmd/waybill:"),
			want:   []string{"pkg/fn must not reach cmd: no leaves: pkg/fn → cmd/waybill"},
		},
		"ThroughOthers": {
			reason: "two steps away is linked all the same, and the shortest way is shown",
			g: graph("functions/x: pkg/b pkg/a", "pkg/a: pkg/b", "pkg/b: k8s.io/client-go/rest",
				"k8s.io/client-go/rest:"),
			want: []string{"functions/x must not reach k8s.io/client-go: no client: functions/x → pkg/b → k8s.io/client-go/rest"},
		},
		"NameThatOnlyBegins": {
			reason: "k8s.io/client-gone is another library",
			g:      graph("functions/x: k8s.io/client-gone"),
		},
		"Exception": {
			reason: "kpt's API module is allowed where kpt is not",
			g:      graph("pkg/kptfile: github.com/kptdev/kpt/api/kptfile", "cmd/waybill: github.com/kptdev/kpt/pkg/lib"),
			want: []string{"cmd/waybill must not reach github.com/kptdev/kpt: no kpt: " +
				"cmd/waybill → github.com/kptdev/kpt/pkg/lib"},
		},
		"Alone": {
			reason: "a program must not link what one below it may",
			g: graph("cmd/tool: cmd/tool/internal/root", "cmd/tool/internal/root: k8s.io/client-go/rest", "cmd/tool/other: k8s.io/client-go/rest",
				"k8s.io/client-go/rest:"),
			want: []string{"cmd/tool must not reach k8s.io/client-go: quick: cmd/tool → cmd/tool/internal/root → k8s.io/client-go/rest"},
		},
		"Cycle": {
			reason: "a walk over imports that loop, as broken packages may, ends",
			g:      graph("pkg/a: pkg/b", "pkg/b: pkg/a"),
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, tc.g.CheckDenials(rows)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestCheckHomes(t *testing.T) {
	rows := []Home{{Library: "github.com/go-git", In: []string{"pkg/gitrepo"}, Why: "one folder"}}
	cases := map[string]struct {
		reason string
		g      Graph
		want   []string
	}{
		"AtHome": {
			reason: "the home and what lies in it may import the library; others may import the home",
			g: graph("pkg/gitrepo: github.com/go-git/go-git/v5", "pkg/gitrepo/wire: github.com/go-git/go-billy/v5",
				"pkg/revision: pkg/gitrepo"),
		},
		"Away": {
			reason: "the message for another folder names the home",
			g:      graph("pkg/revision: github.com/go-git/go-git/v5"),
			want:   []string{"pkg/revision imports github.com/go-git/go-git/v5, whose home is pkg/gitrepo: one folder"},
		},
		"AwayInATest": {
			reason: "a test that needs the library is a test of its home",
			g:      graph("test:pkg/gitrepository: github.com/go-git/go-git/v5"),
			want:   []string{"pkg/gitrepository imports github.com/go-git/go-git/v5, whose home is pkg/gitrepo: one folder"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, tc.g.CheckHomes(rows)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestCheckOrder(t *testing.T) {
	order := []Line{{"krm", ""}, {"fn", ""}, {"bundling status", ""}, {"gitrepo", ""}}
	helpers := []string{"pkg/testenv", "pkg/fn/fntest", "controllers/clustertest"}
	cases := map[string]struct {
		reason string
		g      Graph
		want   []string
	}{
		"OwnFolderAndAbove": {
			reason: "a folder may import itself and every line above its own, and leaves any folder",
			g:      graph("pkg/fn: pkg/krm fmt", "pkg/fn/deep: pkg/fn pkg/krm", "cmd/waybill: pkg/gitrepo pkg/krm"),
		},
		"Below": {
			reason: "an import down the map would close a circle sooner or later",
			g:      graph("pkg/krm: pkg/fn"),
			want:   []string{"pkg/krm imports pkg/fn: a line of the map may import only lines above it"},
		},
		"SameLine": {
			reason: "folders on one line stay apart",
			g:      graph("pkg/status: pkg/bundling"),
			want:   []string{"pkg/status imports pkg/bundling: folders on one line do not know each other"},
		},
		"HelperInATest": {
			reason: "tests may import helpers and folders below theirs",
			g:      graph("test:pkg/krm: pkg/fn/fntest pkg/gitrepo"),
		},
		"HelperUsesFolders": {
			reason: "a helper may import any folder, another helper included",
			g:      graph("pkg/fn/fntest: pkg/fn pkg/testenv", "pkg/testenv/testsummary: fmt"),
		},
		"HelperThatShips": {
			reason: "what ships must not carry test code",
			g:      graph("pkg/fn: pkg/fn/fntest", "functions/x: pkg/testenv", "cmd/waybill: controllers/clustertest", "test:controllers/manager: controllers/clustertest"),
			want: []string{
				"cmd/waybill imports controllers/clustertest: a helper for tests does not belong into what ships",
				"functions/x imports pkg/testenv: a helper for tests does not belong into what ships",
				"pkg/fn imports pkg/fn/fntest: a helper for tests does not belong into what ships",
			},
		},
		"UnknownFolder": {
			reason: "a new folder is a decision: it is put on the map or it fails",
			g:      graph("pkg/misc:", "hack/tool:"),
			want: []string{
				"hack/tool is not on the map: give it a line in pkg/depcheck/folders.go and in CONTRIBUTING.md",
				"pkg/misc is not on the map: give it a line in pkg/depcheck/folders.go and in CONTRIBUTING.md",
			},
		},
		"ImportOfAnUnknownFolder": {
			reason: "an unknown folder is reported once, where it is, not again by its importers",
			g:      graph("pkg/fn: pkg/misc"),
			want:   nil,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, tc.g.CheckOrder(order, helpers)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestLoadNamesWhatIsWrong(t *testing.T) {
	_, err := Load(t.Context(), t.TempDir())
	if err == nil || !strings.Contains(err.Error(), "list the packages of") {
		t.Errorf("a folder outside any module gives %v, want an error that names the folder", err)
	}
	if _, err := decode(strings.NewReader(`{"ImportPath": "a"} {"ImportPath`)); err == nil {
		t.Error("an answer that is cut off reads as a whole one")
	}
}
