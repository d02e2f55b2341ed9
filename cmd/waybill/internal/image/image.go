// Package image has the command `waybill image`, which builds, lists and pushes the images of functions.
package image

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/catalog"
	"github.com/waybill-dev/waybill/pkg/image"
)

// NewCommand returns `waybill image`. Images get the tag catalog.Version by default: Kptfiles of the same checkout name
// that tag, and linked functions answer to it. A pull may replace "latest".
func NewCommand() *cobra.Command {
	return cli.NewGroup("image", "Build and push images of functions and of waybill without a container engine",
		newBuildCommand(), newListCommand(), newPushCommand())
}

type buildCommand struct {
	dir, output, tarballs, tag, ldflags string
	platformNames                       []string
	platforms                           []image.Platform
	out                                 cli.Printer
}

func newBuildCommand() *cobra.Command {
	var b buildCommand
	cmd := &cobra.Command{
		Use:   "build [NAME...]",
		Short: "Build the images of functions and of waybill",
		Long: `Build compiles functions/NAME of a checkout into a static binary for each platform, and builds a
reproducible image of each: the same sources and Go toolchain give the same digest. It prints the
digests. The name waybill stands for waybill with its controllers, whose image runs 'waybill
controller' by default.

With --output the images go into an OCI layout, for 'waybill image push': for each name an index of
all platforms. A list of the Go modules in it (an SBOM: SPDX 2.3 as JSON, an OCI 1.1 referrer) is
attached to each index and each image. Other images in the layout stay. With --tarball-dir each name
becomes NAME.tar for podman load, docker load, kind load and ctr images import, with all platforms;
--platform chooses one. Without both, nothing is written.`,
		Example: `  # the digests of all images
  waybill image build

  # one function, for podman on this machine
  waybill image build bind-resolve --tarball-dir dist/images

  # all images for all platforms, as an OCI layout
  waybill image build --output dist/layout --tag v0.1.0`,
		ValidArgsFunction: cli.Complete(findImages, cobra.ShellCompDirectiveNoFileComp),
		RunE:              b.run,
	}
	f := cmd.Flags()
	f.StringVar(&b.dir, "dir", ".", "`DIR` of the checkout, with the Go module and functions/")
	f.StringVarP(&b.output, "output", "o", "", "`DIR` of the OCI layout to write to")
	f.StringVar(&b.tarballs, "tarball-dir", "", "`DIR` for one NAME.tar per function, with all platforms; a docker that "+
		"does not read OCI archives gets this machine's, or the first")
	f.StringVar(&b.tag, "tag", catalog.Version, "version and tag of the images")
	f.StringVar(&b.ldflags, "ldflags", "", "`FLAGS` for the Go linker, such as -X importpath.name=value: a release names itself")
	f.StringSliceVar(&b.platformNames, "platform", nil, "platform to build for, repeatable (default: all)")
	b.out.AddAs(cmd, "format", "", formatHelp)
	return cmd
}

func (b *buildCommand) run(cmd *cobra.Command, names []string) error {
	functions, err := b.prepare(names)
	if err != nil {
		return err
	}
	rows := []Row{}
	for _, f := range functions {
		f.LinkerFlags = b.ldflags
		fmt.Fprintf(cmd.ErrOrStderr(), "building %s for %s\n", f.Name, joinStrings(b.platforms))
		built, err := image.BuildFunction(cmd.Context(), b.dir, f, b.tag, b.platforms)
		if err != nil {
			return err
		}
		row, err := b.write(f, built)
		if err != nil {
			return err
		}
		rows = append(rows, row)
	}
	return printRows(cmd.OutOrStdout(), &b.out, rows)
}

// prepare checks the command line before anything is compiled.
func (b *buildCommand) prepare(names []string) ([]image.Function, error) {
	if err := b.choosePlatforms(); err != nil {
		return nil, err
	}
	found, err := discover(b.dir)
	if err != nil {
		return nil, err
	}
	chosen, err := chooseFunctions(found, names)
	if err != nil {
		return nil, err
	}
	for _, f := range chosen {
		if _, err := image.Reference(f.Name, b.tag); err != nil {
			return nil, cli.Usagef("--tag: %w", err)
		}
	}
	return chosen, nil
}

func (b *buildCommand) choosePlatforms() error {
	if len(b.platformNames) == 0 {
		b.platforms = image.Platforms()
	}
	for _, name := range b.platformNames {
		p, err := image.ParsePlatform(name)
		if err != nil {
			return cli.Usagef("--platform: %w", err)
		}
		if !slices.Contains(b.platforms, p) {
			b.platforms = append(b.platforms, p)
		}
	}
	return nil
}

// dockerPlatform is the one for a docker that reads only one.
func (b *buildCommand) dockerPlatform() image.Platform {
	if host := image.HostPlatform(); slices.Contains(b.platforms, host) {
		return host
	}
	return b.platforms[0]
}

func (b *buildCommand) write(f image.Function, built *image.Built) (Row, error) {
	ref, err := image.Reference(f.Name, b.tag)
	if err != nil {
		return Row{}, err
	}
	list, err := image.List(built.Index)
	if err != nil {
		return Row{}, err
	}
	row := Row{Name: f.Name, Image: ref, Description: f.Description, Listing: &list}
	if b.output != "" {
		if err := image.WriteLayout(b.output, ref, built.Index, built.SBOMs...); err != nil {
			return Row{}, err
		}
	}
	if b.tarballs != "" {
		row.Tarball = filepath.Join(b.tarballs, f.Name+".tar")
		return row, image.WriteTarball(row.Tarball, ref, built.Index, b.dockerPlatform())
	}
	return row, nil
}

// chooseFunctions returns the named functions in the order of found, or all without names.
func chooseFunctions(found []image.Function, names []string) ([]image.Function, error) {
	if len(found) == 0 {
		return nil, errors.New("no function in functions/: want a folder with main.go")
	}
	known := make([]string, len(found))
	for i, f := range found {
		known[i] = f.Name
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, cli.Usagef("no image is called %q: want one of %s", name, strings.Join(known, ", "))
		}
	}
	if len(names) == 0 {
		return found, nil
	}
	return slices.DeleteFunc(found, func(f image.Function) bool { return !slices.Contains(names, f.Name) }), nil
}

func joinStrings[T fmt.Stringer](items []T) string {
	var names []string
	for _, item := range items {
		names = append(names, item.String())
	}
	return strings.Join(names, ", ")
}

// findImages finds the names that build takes.
func findImages(ctx context.Context, args []string, word string) ([]cli.Proposal, error) {
	found, err := cli.FindFunctions(ctx, args, word)
	if !slices.Contains(args, "waybill") {
		found = append(found, cli.Proposal{Text: "waybill", About: "the program itself"})
	}
	return found, err
}
