// Command servers builds the real servers that checks talk to, from the sources of the Go module proxy, at the
// versions that go.mod and go.sum of a nested module pin: apiserver is etcd, kube-apiserver and kubectl; ocm is Open
// Cluster Management's work agent, webhook and controller of ManifestWorkReplicaSets; porch is Porch's API server and its
// controllers; flux is Flux's kustomize-controller and source-controller; registry is the registry of the distribution project.
//
// Shape: a set's module in, its programs in testenv.Programs.Dir out, and nothing else touched. Programs that
// are there stay as they are, so a second call does nothing. They appear one by one, each whole; of
// two calls at once, one builds and the other waits for it. Cost: about five minutes on two cores
// and 2 GiB in Go's build cache, once for each version; then milliseconds.
// Errors: exit status 1 and what went wrong.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/waybill-dev/waybill/pkg/testenv"
)

func main() {
	modules := flag.String("modules", "pkg/testenv/servers", "folder of the modules that hold the programs")
	flag.Parse()
	if err := fill(*modules, flag.Arg(0)); err != nil {
		fmt.Fprintf(os.Stderr, "servers: %v\n", err)
		os.Exit(1)
	}
}

// fill builds what the folder of a part's programs lacks, and prints which folder that is.
func fill(modules, part string) error {
	for _, programs := range testenv.Built {
		if string(programs.Part) != part {
			continue
		}
		dir, ours, err := programs.Dir()
		if err == nil {
			err = cache{Programs: programs, dir: dir, ours: ours, module: filepath.Join(modules, part)}.fill()
		}
		if err == nil {
			fmt.Println(dir)
		}
		return err
	}
	return errors.New("name one argument: apiserver, ocm, porch, flux or registry")
}
