// Command benchkpt renders the same packages with the real kpt and with waybill, one after the other
// on the same machine, and prints a table: medians, ratios, peak memory. With -upstream it gets them from
// Git and updates them instead. With -start it measures commands that do nothing: the start of the programs.
//
// Shape: two programs and a folder of function executables in, Markdown or JSON out. Each row is a package
// of so many Deployments, one a file, and so many functions, which change every object. Every run
// gets a fresh copy, below TMPDIR or each folder of -dirs; the two results are compared, and a difference ends the program.
// Ratios say how many times as long, or as much, kpt takes; "from cache" is for a render that
// waybill has done before. Cost: minutes; kpt takes 15 s for a thousand objects and five functions.
// Errors: exit status 1 and what went wrong.
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/waybill-dev/waybill/pkg/testenv/usage"
)

func main() {
	b := bench{}
	flag.StringVar(&b.kpt, "kpt", "kpt", "the real kpt")
	flag.StringVar(&b.waybill, "waybill", "bin/waybill", "the waybill to compare")
	flag.StringVar(&b.functions, "functions", "bin/functions", "folder of function executables")
	flag.IntVar(&b.runs, "runs", 5, "runs of each, of which the median counts")
	sizes := flag.String("sizes", "10,100,1000,5000", "resources in a package, separated by commas")
	counts := flag.String("counts", "0,1,5", "functions in its pipeline, separated by commas")
	flag.StringVar(&b.engine, "engine", "", "container engine: five functions in containers at the smallest size, too; "+
		"their images must be loaded")
	fromGit := flag.Bool("upstream", false, "get packages and update them, both sides changed, instead of rendering them")
	start := flag.Bool("start", false, "measure commands that only start and print, instead of rendering packages")
	dirs := flag.String("dirs", os.TempDir(), "folders for the packages, separated by commas, such as one in memory and one on a disk; "+
		newExt4+" is a new ext4 with a journal, which root can mount")
	t := table{out: os.Stdout}
	flag.StringVar(&t.format, "o", formatMarkdown, "markdown or json")
	flag.Parse()
	rows, err := plan(*sizes, *counts, b.engine != "")
	if err == nil && t.format != formatMarkdown && t.format != formatJSON {
		err = fmt.Errorf("-o %q: want %s or %s", t.format, formatMarkdown, formatJSON)
	}
	if err == nil {
		b.waybill, err = usage.Program(b.waybill)
	}
	if err == nil {
		err = b.folders(strings.Split(*dirs, ","), &t, func() error {
			switch {
			case *start:
				return b.starts(&t)
			case *fromGit:
				return b.upstreams(rows, &t)
			}
			return b.run(rows, &t)
		})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "benchkpt:", err)
		os.Exit(1)
	}
}

// The formats of the tables.
const (
	formatMarkdown = "markdown"
	formatJSON     = "json"
)

// row is one package, rendered in one way.
type row struct {
	objects, functions int
	how                way
}

// way is how the functions run: in kpt, and in waybill.
type way string

const (
	linked     way = "linked in"   // kpt runs executables, waybill what is linked into it
	executable way = "executables" // the same in both
	contained  way = "containers"  // the same in both
	none       way = "no functions"
)

func plan(sizes, counts string, containers bool) (rows []row, err error) {
	numbers := func(list string) (all []int) {
		for part := range strings.SplitSeq(list, ",") {
			var n int
			if _, scanErr := fmt.Sscan(part, &n); scanErr != nil {
				err = fmt.Errorf("%q is no number", part)
			}
			all = append(all, n)
		}
		return all
	}
	for i, n := range numbers(sizes) {
		for _, f := range numbers(counts) {
			if f == 0 {
				rows = append(rows, row{n, 0, none})
				continue
			}
			rows = append(rows, row{n, f, linked}, row{n, f, executable})
		}
		if containers && i == 0 {
			rows = append(rows, row{n, 5, contained})
		}
	}
	return rows, err
}
