// Command reference writes the page on the fields of our kinds from their CustomResourceDefinitions.
//
// Shape: the definitions in, Markdown out: for each kind a table of its fields, and what an API server
// refuses. The order is that of names.
// Cost: negligible.
// Errors: the file that cannot be written, or the definition that cannot be read.
// Source: the schemas in controllers/manifests/crds.
package main

import (
	"fmt"
	"os"

	"github.com/waybill-dev/waybill/controllers/manifests/crds"
)

//go:generate go run . ../../../docs/reference/api.md

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("want the file to write, got %q", args)
	}
	text, err := page(crds.Files)
	if err != nil {
		return err
	}
	return os.WriteFile(args[0], []byte(text), 0o644) // #nosec G306 -- a public page
}
