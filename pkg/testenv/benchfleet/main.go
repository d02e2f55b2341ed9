// Command benchfleet renders a large fleet with waybill, changes it, previews it, and does the least that such a step has to do beside
// it, on the same machine in the same run: the floors.
//
// Shape: a program in, a Markdown table out. The fleet is one package: so many Deployments, of which a tenth are templates, for so many
// clusters, with bind-resolve, custom-transform and bundle-manifestwork. It is made below TMPDIR, and removed at the end. Works are in
// Git, committed after each render; a PackageVariant of the same package has its drafts in another repository. Floors do the same
// to the same files on all processors: write them, read and hash them, and have Git take them in. Ratios say how much of the time of a
// step the floor under it takes: 1× is the best that there can be.
// With -kyaml, the floors are those of a package without functions: reading its files, and kyaml's reading and writing of them.
// Cost: minutes, and 2.6 times as much disk space as the works take: 1.5 GB for 10,000 clusters with 100 objects.
// Errors: exit status 1 and what went wrong.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/waybill-dev/waybill/pkg/testenv/usage"
)

func main() {
	b := bench{fleet: "fleet"}
	flag.StringVar(&b.waybill, "waybill", "bin/waybill", "the program to measure")
	flag.IntVar(&b.clusters, "clusters", 1000, "clusters of the fleet")
	flag.IntVar(&b.objects, "objects", 100, "objects for each cluster, or of the package with -kyaml")
	flag.IntVar(&b.runs, "runs", 3, "runs of each step, of which the median counts")
	kyaml := flag.Bool("kyaml", false, "measure a package without functions beside kyaml")
	flag.Parse()
	if err := b.main(*kyaml); err != nil {
		fmt.Fprintln(os.Stderr, "benchfleet:", err)
		os.Exit(1)
	}
}

// bench is a run of the program. Its folder has the package of the fleet, the cache of waybill, and what floors write.
type bench struct {
	waybill                 string
	clusters, objects, runs int
	dir                     string
	fleet                   string // where in dir the package is
}

func (b *bench) main(kyaml bool) (err error) {
	if b.clusters < 1 || b.objects < 1 || b.runs < 1 {
		return errors.New("-clusters, -objects and -runs must be at least 1")
	}
	if b.waybill, err = usage.Program(b.waybill); err != nil {
		return err
	}
	if b.dir, err = os.MkdirTemp("", "benchfleet-"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(b.dir)) }()
	if kyaml {
		return b.besideKyaml(os.Stdout)
	}
	return b.besideFloors(os.Stdout)
}

func (b *bench) path(parts ...string) string {
	return filepath.Join(append([]string{b.dir}, parts...)...)
}
