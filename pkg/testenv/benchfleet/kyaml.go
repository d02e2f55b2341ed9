package main

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"sigs.k8s.io/kustomize/kyaml/kio"

	"github.com/waybill-dev/waybill/pkg/testenv/usage"
)

const plainKptfile = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: plain\n"

// besideKyaml measures a render of a package without functions, which was rendered before, beside three floors: reading its files,
// and kyaml's reading of them without and with writing. All run in turn.
func (b *bench) besideKyaml(out io.Writer) error {
	err := b.write("Kptfile", plainKptfile)
	for i := range b.objects {
		if err == nil {
			err = b.writeDeployment(i, "1.0")
		}
	}
	if err != nil {
		return err
	}
	render := []string{"fn", "render", "--no-cache", b.path("fleet")}
	if _, err := b.timed(render); err != nil {
		return err
	}
	runs := []struct {
		name    string
		run     func() error
		samples []usage.Taken
	}{
		{name: "reading the files", run: b.readFiles},
		{name: "kyaml: reading", run: func() error { return b.kyaml(false) }},
		{name: "kyaml: reading and writing", run: func() error { return b.kyaml(true) }},
	}
	var ours []usage.Taken
	for range b.runs {
		m, err := b.timed(render)
		if err != nil {
			return err
		}
		ours = append(ours, m)
		for i := range runs {
			start := time.Now()
			if err := runs[i].run(); err != nil {
				return fmt.Errorf("%s: %w", runs[i].name, err)
			}
			runs[i].samples = append(runs[i].samples, usage.Taken{Wall: time.Since(start)})
		}
	}
	took := median(ours).Wall
	fmt.Fprintf(out, "| %d resources, no function | time | of `waybill fn render` |\n|---|---:|---:|\n", b.objects)
	fmt.Fprintf(out, "| `waybill fn render` | %s | 1.00× |\n", seconds(took))
	for _, r := range runs {
		m := median(r.samples).Wall
		fmt.Fprintf(out, "| %s | %s | %s |\n", r.name, seconds(m), times(m, took))
	}
	return nil
}

func (b *bench) readFiles() error {
	return filepath.WalkDir(b.path("fleet"), func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		_, err = os.ReadFile(name) // #nosec G304 G122 -- a file of the package
		return err
	})
}

// kyaml reads the package, and writes it over itself.
func (b *bench) kyaml(write bool) error {
	nodes, err := kio.LocalPackageReader{PackagePath: b.path("fleet"), MatchFilesGlob: []string{"*.yaml", "Kptfile"}}.Read()
	if err == nil && len(nodes) != b.objects+1 {
		err = fmt.Errorf("kyaml read %d objects, want %d", len(nodes), b.objects+1)
	}
	if err == nil && write {
		err = kio.LocalPackageWriter{PackagePath: b.path("fleet")}.Write(nodes)
	}
	return err
}
