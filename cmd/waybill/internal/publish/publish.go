// Package publish has the command `waybill publish`.
package publish

import (
	"context"
	"errors"
	"fmt"
	neturl "net/url"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/fleet/publish"
	"github.com/waybill-dev/waybill/pkg/lazyregexp"
	"github.com/waybill-dev/waybill/pkg/oci"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

type command struct {
	revisionFlags
	by, content         string
	channel, source     string
	dryRun, checkTags   bool
	allowOlder, allowMv bool
	plainHTTP           bool
	out                 cli.Printer
}

// NewCommand returns `waybill publish`.
func NewCommand() *cobra.Command {
	var p command
	cmd := &cobra.Command{
		Use:   "publish [DIR] oci://REGISTRY/PREFIX",
		Short: "Push what each cluster receives to a registry",
		Long: `Publish pushes an approved revision of a rendered fleet to a registry: an artifact for each cluster,
oci://REGISTRY/PREFIX/CLUSTER, as Flux's OCIRepository takes it. DIR is a package or a folder of
packages in a Git repository (default: the current folder).

What is published is committed and approved: the commit of --revision, or HEAD if the files in DIR
are as committed. It has to be on the branch main of origin (or --branch) itself; drafts and
proposals are refused, and so are commits of drafts that were merged.

  --content objects   the objects in the works of the cluster, for a Flux on the cluster (default)
  --content works     the files with ManifestWorks, for a Flux on the hub
  --by cluster        an artifact for each cluster (default)
  --by label=KEY      one for each value of a label of the clusters; the folders of the clusters are
                      in it

Each artifact that changes gets two tags: latest (or --tag), which moves, and one of the revision,
the last part of its tag such as v3, or sha-COMMIT. An unchanged artifact takes no request, and
keeps its digest: the index of the prefix, oci://REGISTRY/PREFIX:latest, says what the registry has.
At its tag of the revision, the index lists the digest of every cluster in that revision.

The tags move after all contents are in the registry, and the tag of the index moves last. After an
interruption, the same command or that of a later revision completes the work. A revision that is
not newer than the one in the registry is refused, also if both are published at the same time.

Nothing is deleted: artifacts of clusters that the revision lacks stay, and are printed as "gone".
An artifact holds what the works hold, Secrets too: all who may read the repository can read them.

Credentials are those of docker login, or of podman login, as for 'waybill image push'. Connections
are encrypted, except to this machine or with --plain-http.

Exit codes: 0 the registry has the revision; 1 it has not, or not all of it; 2 wrong usage.`,
		Example: `  # what would be pushed
  waybill publish shop oci://registry.example.com/fleet --dry-run

  # a revision, for the clusters that follow the tag stable
  waybill publish shop oci://registry.example.com/fleet --revision v3 --tag stable

  # works for hubs, by region
  waybill publish oci://registry.example.com/hubs --content works --by label=region`,
		Args:              cli.Args(cobra.RangeArgs(1, 2)),
		ValidArgsFunction: cli.CompleteFirst(cli.CompletePackages),
		RunE:              p.run,
	}
	f := cmd.Flags()
	p.revisionFlags.add(cmd)
	f.StringVar(&p.by, "by", publish.ByCluster, "what has an artifact: cluster, or `label=KEY`")
	cli.AddChoice(cmd, &p.content, "content", "", publish.Objects, "what is in an artifact: %s", publish.Objects, publish.Works)
	f.StringVar(&p.channel, "tag", "latest", "`TAG` that moves to the revision")
	f.StringVar(&p.source, "source", "", "`URL` of the Git repository, for an annotation of the artifacts")
	f.BoolVar(&p.dryRun, "dry-run", false, "compare with the registry, and push nothing")
	f.BoolVar(&p.checkTags, "check-tags", false, "ask the registry for the tag of each artifact, and do not trust the index")
	f.BoolVar(&p.allowOlder, "allow-older", false, "go back to an older revision, or to one of another history")
	f.BoolVar(&p.allowMv, "allow-moves", false, "let clusters move from one group to another")
	f.BoolVar(&p.plainHTTP, "plain-http", false, "allow HTTP without encryption to a registry that is not on this machine")
	p.out.Add(cmd)
	return cmd
}

func (p *command) run(cmd *cobra.Command, args []string) error {
	prefix, publisher, err := p.publisher(args[len(args)-1])
	if err != nil {
		return err
	}
	dir := "."
	if len(args) == 2 {
		dir = args[0]
	}
	ctx := cmd.Context()
	tree, err := cli.Await(ctx, func() (pkgtree.Tree, error) { return p.revisionFlags.read(ctx, dir, publisher) })
	if err != nil {
		return err
	}
	contents, err := publish.Contents(tree, publisher.Options)
	if err != nil {
		return err
	}
	progress := cli.NewProgress(cmd.ErrOrStderr())
	publisher.Observe = func(doing string, done, total int) {
		progress.Show(fmt.Sprintf("%s %d of %d artifacts", doing, done, total))
	}
	do := publisher.Run
	if p.dryRun {
		do = publisher.Plan
	}
	steps, err := p.await(ctx, do, contents)
	progress.Done()
	if len(steps) == 0 {
		return err
	}
	return errors.Join(p.print(cmd, prefix, steps), err)
}

type doing func(context.Context, []publish.Content) ([]publish.Step, error)

// await returns when an interruption comes while a credential helper waits for something.
func (p *command) await(ctx context.Context, do doing, contents []publish.Content) ([]publish.Step, error) {
	type result struct {
		steps []publish.Step
		err   error
	}
	r, err := cli.Await(ctx, func() (result, error) {
		steps, err := do(ctx, contents)
		return result{steps, err}, nil
	})
	return r.steps, errors.Join(err, r.err)
}

// fixedTag is a tag that names one revision.
var fixedTag = lazyregexp.New(`^(v[0-9]+|sha-[0-9a-f]{12}|.*\.pending)$`)

// publisher checks the flags.
func (p *command) publisher(url string) (prefix oci.Reference, _ *publish.Publisher, err error) {
	if prefix, err = oci.ParseReference(url); err != nil {
		return prefix, nil, cli.Usagef("%w", err)
	}
	if prefix.Tag != "" || prefix.Digest != "" {
		return prefix, nil, cli.Usagef("%q: want oci://REGISTRY/PREFIX; --tag names the tag", url)
	}
	if _, err := oci.ParseReference(prefix.URL() + ":" + p.channel + ".pending"); err != nil || fixedTag.MatchString(p.channel) {
		return prefix, nil, cli.Usagef("--tag %q: want a tag that may move, such as latest or stable: v3 and sha-… name one revision", p.channel)
	}
	if u, err := neturl.Parse(p.source); err != nil || u.User != nil {
		return prefix, nil, cli.Usagef("--source: want a URL without a password: everybody who may pull an artifact can read it")
	}
	options := publish.Options{By: p.by, Content: p.content}
	if options.By, err = by(p.by); err != nil {
		return prefix, nil, err
	}
	client, err := oci.New(oci.Options{PlainHTTP: p.plainHTTP, MoveTags: true})
	return prefix, &publish.Publisher{Options: options, Registry: publish.Below(prefix, client), Channel: p.channel, Source: p.source,
		AllowOlder: p.allowOlder, AllowMoves: p.allowMv, CheckTags: p.checkTags}, err
}
