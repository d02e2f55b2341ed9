package testenv

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
)

// APIServerVersion is the release of Kubernetes whose API server and command line checks talk to.
const APIServerVersion = "v1.36.3"

// APIServerPrograms are the programs that the part is made of.
var APIServerPrograms = []string{"etcd", "kube-apiserver", "kubectl"}

// APIServerDir is the folder of APIServerPrograms: what KUBEBUILDER_ASSETS says, which many machines
// that build controllers have set; or else what WAYBILL_APISERVER says; or else, one folder for each
// version, in the user's cache, which outlives checkouts. Only the latter two are ours to fill.
func APIServerDir() (dir string, ours bool, err error) {
	for _, name := range []string{"KUBEBUILDER_ASSETS", "WAYBILL_APISERVER"} {
		dir, ours := os.Getenv(name), name == "WAYBILL_APISERVER"
		switch {
		case filepath.IsAbs(dir):
			return dir, ours, nil
		case dir != "": // every test runs in a folder of its own
			return "", false, fmt.Errorf("%s=%q: want an absolute path", name, dir)
		}
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", false, fmt.Errorf("find a folder for the API server: %w", err)
	}
	return filepath.Join(cache, "waybill", "apiserver-"+APIServerVersion), true, nil
}

// servesAPI has each program say its version: that tells whether it is there, whole, and made for
// this machine. It tries once and remembers.
var servesAPI = sync.OnceValue(func() error {
	dir, _, err := APIServerDir()
	if err != nil {
		return err
	}
	return programsRun(dir)
})

func programsRun(dir string) error {
	for _, program := range APIServerPrograms {
		version := []string{"--version"}
		if program == "kubectl" {
			version = []string{"version", "--client"}
		}
		if err := quiet(exec.Command(filepath.Join(dir, program), version...)); err != nil { // #nosec G204 -- the folder is the developer's own
			return fmt.Errorf("%w; make apiserver builds it, once, in some minutes", err)
		}
	}
	return nil
}
