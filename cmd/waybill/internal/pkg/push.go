package pkg

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/oci"
)

// What push says of an artifact.
const (
	pushed    = "pushed"
	unchanged = "unchanged" // it was there
	planned   = "planned"   // with --dry-run: it would be pushed
)

type pushCommand struct {
	moveTags, dryRun bool
	source, revision string
	registry         RegistryFlags
	out              cli.Printer
}

func newPushCommand() *cobra.Command {
	var p pushCommand
	cmd := &cobra.Command{
		Use:   "push [DIR] oci://HOST/REPO:TAG",
		Short: "Push a package to a registry",
		Long: `Push sends the package in DIR (default: the current directory) to a registry as an artifact, as
Flux's OCIRepository takes it, and tags it. It prints the digest, by which you pin the package. The
artifact holds the files of the package and which of them are executable: no times, no owners. So
the same files have the same digest, and a second push changes nothing.

Push leaves out what "pkg get" from Git would not have: files that Git ignores, .git, and symbolic
links. Files that .krmignore hides are part of the package. Push warns of Secrets with values:
everybody who may pull the package can read them.

If the tag names another artifact, push fails and sends nothing, unless --move-tags allows it.

Credentials are those of docker login or podman login, as for 'waybill image push'. Connections are
encrypted, except to this machine or with --plain-http.

Exit codes: 0 the registry has the package; 1 failed, or the tag names another artifact; 2 wrong
usage.`,
		Example: `  # the digest that the package would have
  waybill pkg push edge oci://registry.example.com/blueprints/edge:v1 --dry-run

  # with the commit that it was made of
  waybill pkg push edge oci://registry.example.com/blueprints/edge:v1 --revision 2f7c1ab`,
		Args:              cli.Args(cobra.RangeArgs(1, 2)),
		ValidArgsFunction: cli.CompleteFirst(cli.CompletePackages),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir, target := ".", args[len(args)-1]
			if len(args) == 2 {
				dir = args[0]
			}
			return p.run(cmd, dir, target)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&p.moveTags, "move-tags", false, "let a tag that names another artifact name this one")
	f.BoolVar(&p.dryRun, "dry-run", false, "ask the registry what it has, and push nothing")
	f.StringVar(&p.source, "source", "", "`URL` where the package comes from, for the annotation "+oci.Source)
	f.StringVar(&p.revision, "revision", "", "`REVISION` in the source, for the annotation "+oci.Revision)
	p.registry.Add(cmd)
	p.out.Add(cmd)
	return cmd
}

// PushReport is the output: what the registry has.
type PushReport struct {
	metav1.TypeMeta `json:",inline"`
	Package         string `json:"package"`
	Artifact        string `json:"artifact"` // oci://HOST/REPO:TAG
	Digest          string `json:"digest"`
	State           string `json:"state"` // pushed, unchanged or planned
	Files           int    `json:"files"`
}

func (p *pushCommand) run(cmd *cobra.Command, dir, target string) error {
	ref, err := oci.ParseReference(target)
	if err == nil && (ref.Tag == "" || ref.Digest != "") {
		err = fmt.Errorf("%q: want oci://HOST/REPO:TAG", target)
	}
	if err != nil {
		return cli.Usagef("%w", err)
	}
	_, name, err := folderOf([]string{dir})
	if err != nil {
		return err
	}
	content, err := p.read(cmd.Context(), cmd.ErrOrStderr(), dir)
	if err != nil {
		return fmt.Errorf("push package %q: %w", name, err)
	}
	r := PushReport{TypeMeta: cli.TypeMeta("PackagePushReport"), Package: name, Artifact: ref.String(), Files: content.tree.Len()}
	_, err = cli.Await(cmd.Context(), func() (any, error) { return nil, p.push(cmd.Context(), ref, content, &r) })
	if err != nil {
		return fmt.Errorf("push package %q: %w", name, err)
	}
	return p.out.Print(cmd.OutOrStdout(), r, []string{"ARTIFACT", "DIGEST", "STATE"}, [][]string{cli.SafeCells(r.Artifact, r.Digest, r.State)})
}

// push sends the package unless the registry has it, and reports what it did.
func (p *pushCommand) push(ctx context.Context, ref oci.Reference, content *content, r *PushReport) error {
	a, err := oci.PackageArtifact(content.tree, content.executable, p.annotations())
	if err != nil {
		return err
	}
	client, err := p.registry.Client(&cli.CacheFlags{}, p.moveTags)
	if err != nil {
		return err
	}
	if r.Digest, err = a.Digest(); err != nil {
		return err
	}
	has, err := client.Has(ctx, ref, r.Digest)
	var other *oci.TagError
	switch {
	case errors.As(err, &other) && isSame(ctx, client, ref.WithDigest(other.Is), a, content):
		r.Digest, r.State = other.Is, unchanged
		return nil
	case other != nil:
		return tagTaken(err)
	case err != nil:
		return err
	case has:
		r.State = unchanged
		return nil
	}
	if r.State = planned; p.dryRun {
		return nil
	}
	r.State = pushed
	if _, err = client.Push(ctx, ref, a); errors.As(err, &other) { // of another push at the same time
		return tagTaken(err)
	}
	return err
}

func tagTaken(err error) error {
	return fmt.Errorf("%w: push another tag, or confirm with --move-tags", err)
}

func (p *pushCommand) annotations() map[string]string {
	all := map[string]string{oci.Source: p.source, oci.Revision: p.revision}
	maps.DeleteFunc(all, func(_, value string) bool { return value == "" })
	return all
}

// isSame reports whether an artifact has the same files: another release of Go may have compressed them otherwise.
func isSame(ctx context.Context, client *oci.Client, ref oci.Reference, a *oci.Artifact, content *content) bool {
	p, err := client.Pull(ctx, ref)
	if err != nil || !maps.Equal(p.Annotations, a.Annotations) {
		return false
	}
	tree, executable, err := p.Tree(oci.UnpackLimits{})
	return err == nil && tree.Equal(content.tree) && slices.Equal(executable, content.executable)
}
