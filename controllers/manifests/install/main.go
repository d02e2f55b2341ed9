// Command install writes the manifests of the controller as one file, with its image by digest.
//
// Shape: the kustomization in controllers/manifests, and the list that `waybill image push -o yaml` or `waybill image build
// --format yaml` prints, in; YAML out. The same input gives the same bytes.
// Cost: some milliseconds.
// Errors: the file that is at fault, and what is wrong with it. Then, nothing is written.
// Source: kustomize, whose library builds the kustomization with an image set.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	flags := flag.NewFlagSet("install", flag.ContinueOnError)
	manifests := flags.String("manifests", "controllers/manifests", "the folder of the kustomization")
	digests := flags.String("digests", "", "the file with the output of waybill image push -o yaml")
	output := flags.String("output", "", "the file to write")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *digests == "" || *output == "" || flags.NArg() > 0 {
		return fmt.Errorf("want -digests FILE and -output FILE, got %q", args)
	}
	image, err := readImage(*digests)
	if err != nil {
		return fmt.Errorf("%s: %w", *digests, err)
	}
	text, err := build(*manifests, image)
	if err != nil {
		return fmt.Errorf("%s: %w", *manifests, err)
	}
	if err := os.MkdirAll(filepath.Dir(*output), 0o755); err != nil { // #nosec G301 -- what is released is public
		return err
	}
	return os.WriteFile(*output, text, 0o644) // #nosec G306 -- what is released is public
}
