package testenv

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

// Programs are the programs of one part. make builds them from the sources of the Go module proxy, into a folder outside the
// tree. Their module is the folder of pkg/testenv/servers that is named like the part.
type Programs struct {
	Part     Part   // also the make target
	Version  string // the release, which go.mod of their module pins
	Programs []Program
	Theirs   string // environment variable that names a folder of existing programs, if there is one
	Stamp    string // package whose variables gitVersion, gitMajor and gitMinor name the release, if there is one
}

// Program is one program, and arguments that show that it exists, is complete, and runs on this machine.
type Program struct {
	Name    string
	Probe   []string
	Package string // a main package of the release itself; "" for the folder of our module that is named like the program
}

// APIServerPrograms are the API server, its store and the command line of one release of Kubernetes. Many machines that
// build controllers have KUBEBUILDER_ASSETS set.
var APIServerPrograms = Programs{
	Part: APIServer, Version: "v1.36.3", Theirs: "KUBEBUILDER_ASSETS", Stamp: "k8s.io/component-base/version",
	Programs: []Program{{Name: "etcd", Probe: []string{"--version"}}, {Name: "kube-apiserver", Probe: []string{"--version"}},
		{Name: "kubectl", Probe: []string{"version", "--client"}}},
}

// OCMPrograms are the agent of Open Cluster Management that applies ManifestWorks, the webhook by which its hub checks them, and the
// controller of its hub that makes them from ManifestWorkReplicaSets.
var OCMPrograms = Programs{
	Part: OCM, Version: "v1.2.0",
	Programs: []Program{{Name: "work-agent", Probe: []string{"--help"}}, {Name: "work-webhook", Probe: []string{"--help"}},
		{Name: "work-hub", Probe: []string{"--help"}}},
}

// PorchPrograms are Porch's API server and its controllers of PackageVariants and PackageVariantSets.
var PorchPrograms = Programs{
	Part: Porch, Version: "v1.5.3",
	Programs: []Program{
		{Name: "porch-server", Probe: []string{"--help"}, Package: "github.com/nephio-project/porch/cmd/porch"},
		{Name: "porch-controllers", Probe: []string{"--help"}, Package: "github.com/nephio-project/porch/controllers"},
	},
}

// FluxPrograms are Flux's controllers of GitRepositories, which fetches commits, and of Kustomizations, which applies what is in them.
// Both have the same version.
var FluxPrograms = Programs{
	Part: Flux, Version: "v1.7.3",
	Programs: []Program{
		{Name: "source-controller", Probe: []string{"--help"}, Package: "github.com/fluxcd/source-controller"},
		{Name: "kustomize-controller", Probe: []string{"--help"}, Package: "github.com/fluxcd/kustomize-controller"},
	},
}

// RegistryPrograms are the registry of the distribution project, which stores images and artifacts.
var RegistryPrograms = Programs{
	Part: Registry, Version: "v3.1.2", Programs: []Program{{Name: "registry", Probe: []string{"--version"}}},
}

// Built are all parts that make builds.
var Built = []Programs{APIServerPrograms, OCMPrograms, PorchPrograms, FluxPrograms, RegistryPrograms}

// Ours is the environment variable that names a folder for these programs which we may fill, such as WAYBILL_APISERVER.
func (p Programs) Ours() string { return "WAYBILL_" + strings.ToUpper(string(p.Part)) }

// Dir is the folder of the programs: the one that Theirs names; or else the one that Ours names; or else, one folder
// for each version, in the user's cache, which outlives checkouts. Only the latter two are ours to fill.
func (p Programs) Dir() (dir string, ours bool, err error) {
	for _, name := range []string{p.Theirs, p.Ours()} {
		dir, ours := os.Getenv(name), name != p.Theirs
		switch {
		case filepath.IsAbs(dir):
			return dir, ours, nil
		case dir != "": // every test runs in a folder of its own
			return "", false, fmt.Errorf("%s=%q: want an absolute path", name, dir)
		}
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", false, fmt.Errorf("find a folder for the programs of %s: %w", p.Part, err)
	}
	return filepath.Join(cache, "waybill", string(p.Part)+"-"+p.Version), true, nil
}

// probe runs each program once and caches the result.
func (p Programs) probe() func() error {
	return sync.OnceValue(func() error {
		dir, _, err := p.Dir()
		if err != nil {
			return err
		}
		return p.run(dir)
	})
}

func (p Programs) run(dir string) error {
	for _, program := range p.Programs {
		// #nosec G204 -- the folder is the developer's own
		if err := quiet(exec.Command(filepath.Join(dir, program.Name), program.Probe...)); err != nil {
			return fmt.Errorf("%w; make %s builds it, once, in some minutes", err, p.Part)
		}
	}
	return nil
}
