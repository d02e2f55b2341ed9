package depcheck

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os/exec"
	"slices"
	"strings"
)

// Package is the go command's information on a package.
type Package struct {
	ImportPath   string
	Imports      []string
	TestImports  []string
	XTestImports []string
}

// Graph holds, by import path, every package of the module and all that they link.
type Graph map[string]Package

// Load reads the graph of the module in dir.
func Load(ctx context.Context, dir string) (Graph, error) {
	// -e: errors in some folders must not hide the faults of the others.
	cmd := exec.CommandContext(ctx, "go", "list", "-e", "-deps", "-buildvcs=false",
		"-json=ImportPath,Imports,TestImports,XTestImports", "./...")
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("list the packages of %q: %w: %s", dir, err, strings.TrimSpace(stderr.String()))
	}
	g, err := decode(bytes.NewReader(out))
	if err == nil && len(g.own("")) == 0 { // with -e, the go command accepts an empty list
		err = fmt.Errorf("list the packages of %q: none belongs to %s: %s", dir, Module, strings.TrimSpace(stderr.String()))
	}
	return g, err
}

func decode(r io.Reader) (Graph, error) {
	g := Graph{}
	for dec := json.NewDecoder(r); ; {
		var p Package
		switch err := dec.Decode(&p); {
		case errors.Is(err, io.EOF):
			return g, nil
		case err != nil:
			return nil, fmt.Errorf("read the output of go list: %w", err)
		}
		g[p.ImportPath] = p
	}
}

// own lists the packages in the folder of the module, all of them for "", sorted.
func (g Graph) own(folder string) []string {
	root := Module
	if folder != "" {
		root += "/" + folder
	}
	paths := slices.Sorted(maps.Keys(g))
	return slices.DeleteFunc(paths, func(p string) bool { return !within(p, root) })
}

// all lists what the files of p import, tests included, sorted and once each.
func (p Package) all() []string {
	paths := slices.Concat(p.Imports, p.TestImports, p.XTestImports)
	slices.Sort(paths)
	return slices.Compact(paths)
}

// chain is a shortest chain of imports from a package to one that bad accepts; nil if there is none.
func (g Graph) chain(from string, bad func(string) bool) []string {
	cameFrom := map[string]string{from: ""}
	for queue := []string{from}; len(queue) > 0; queue = queue[1:] {
		if at := queue[0]; at != from && bad(at) {
			return importPath(cameFrom, at)
		}
		for _, next := range slices.Sorted(slices.Values(g[queue[0]].Imports)) {
			if _, seen := cameFrom[next]; !seen {
				cameFrom[next] = queue[0]
				queue = append(queue, next)
			}
		}
	}
	return nil
}

func importPath(cameFrom map[string]string, at string) []string {
	var way []string
	for ; at != ""; at = cameFrom[at] {
		way = append(way, at)
	}
	slices.Reverse(way)
	return way
}

// within reports whether path is root or below it. A major version suffix of a module counts
// as below: denying example.com/x denies example.com/x/v2.
func within(path, root string) bool {
	return path == root || strings.HasPrefix(path, root+"/")
}
