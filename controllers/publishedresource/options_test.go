package publishedresource_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"k8s.io/client-go/rest"

	"github.com/waybill-dev/waybill/controllers/publishedresource"
)

func TestCheck(t *testing.T) {
	one := []publishedresource.Workspace{{Name: "a", Config: &rest.Config{}}}
	for name, tc := range map[string]struct {
		reason  string
		options publishedresource.Options
		want    string
	}{
		"Good":     {"other fields have defaults", publishedresource.Options{Workspaces: one}, ""},
		"None":     {"there is nothing to sync", publishedresource.Options{}, "want at least one workspace"},
		"Twice":    {"a name identifies a workspace", publishedresource.Options{Workspaces: append(one, one...)}, "twice"},
		"Name":     {"namespaces contain it", publishedresource.Options{Workspaces: []publishedresource.Workspace{{Name: "admin@cluster", Config: &rest.Config{}}}}, "rename it"},
		"Unknown":  {"it cannot be reached", publishedresource.Options{Workspaces: []publishedresource.Workspace{{Name: "a"}}}, "no client configuration"},
		"Agent":    {"labels contain it", publishedresource.Options{Workspaces: one, Agent: "No Agent"}, "agent"},
		"State":    {"it is a namespace", publishedresource.Options{Workspaces: one, StateNamespace: "A"}, "state namespace"},
		"Parallel": {"no primary would be reconciled", publishedresource.Options{Workspaces: one, Parallel: -1}, "at least one primary"},
		"Retry":    {"a last pause before the first", publishedresource.Options{Workspaces: one, FirstRetry: time.Hour}, "last pause"},
	} {
		t.Run(name, func(t *testing.T) {
			err := tc.options.Check()
			if (err == nil) != (tc.want == "") || err != nil && !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%s: want %q, got %v", tc.reason, tc.want, err)
			}
		})
	}
}

const kubeconfig = `
apiVersion: v1
kind: Config
clusters:
- {name: c, cluster: {server: 'https://kcp.example.com/clusters/root:org:team', certificate-authority: ca.crt}}
users:
- {name: u, user: {token: hush-4711}}
contexts:
- {name: b, context: {cluster: c, user: u}}
- {name: a, context: {cluster: c, user: u}}
- {name: broken, context: {cluster: none, user: u}}
`

func TestWorkspaces(t *testing.T) {
	file := filepath.Join(t.TempDir(), "kubeconfig")
	if err := os.WriteFile(file, []byte(kubeconfig), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(file), "ca.crt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		reason, file string
		contexts     []string
		want, fault  string
	}{
		"Named":   {"in the order of names, each once", file, []string{"b", "a", "b"}, "a b", ""},
		"Broken":  {"no context is skipped", file, nil, "", `context "broken"`},
		"Missing": {"an error names the context", file, []string{"x"}, "", `context "x": there is none; want one of ["a" "b" "broken"]`},
		"NoFile":  {"an error says that the file does not exist", file + "x", nil, "", "no such file"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := publishedresource.Workspaces(tc.file, tc.contexts)
			if (err == nil) != (tc.fault == "") || err != nil && (!strings.Contains(err.Error(), tc.fault) || strings.Contains(err.Error(), "hush")) {
				t.Fatalf("%s: want %q, got %v", tc.reason, tc.fault, err)
			}
			var names []string
			for _, w := range got {
				names = append(names, w.Name)
				if w.Config.CAFile != filepath.Join(filepath.Dir(file), "ca.crt") || w.Config.BearerToken != "hush-4711" {
					t.Errorf("%s: %s has another configuration", tc.reason, w.Name)
				}
			}
			if all := strings.Join(names, " "); all != tc.want {
				t.Errorf("%s: want %q, got %q", tc.reason, tc.want, all)
			}
		})
	}
}
