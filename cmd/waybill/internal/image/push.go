package image

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/image"
	"github.com/waybill-dev/waybill/pkg/image/push"
)

// What push says of an image.
const (
	pushed    = "pushed"
	unchanged = "unchanged" // it was there
	planned   = "planned"   // with --dry-run: it would be pushed
)

type pushCommand struct {
	layout  string
	options push.Options
	dryRun  bool
	out     cli.Printer
}

func newPushCommand() *cobra.Command {
	var p pushCommand
	cmd := &cobra.Command{
		Use:   "push [NAME...]",
		Short: "Push built images to a registry",
		Long: `Push sends the images of an OCI layout, which 'waybill image build --output' or 'make images' wrote,
to the registry of their names, or to that of --to. It sends each image and its index by digest,
then the lists of what is in them (SBOMs), which the registry lists as referrers, and last the tag.
It prints the digests, by which you pin images. What the registry has already is not sent again: a
second push changes nothing.

Push asks for all tags first. If one of them names another image, it fails and sends nothing, unless
--move-tags allows it.

Credentials are those of docker login, with its credential helpers: in config.json in the folder
DOCKER_CONFIG, or in ~/.docker. Without such a file, they are those of podman login: in the file
REGISTRY_AUTH_FILE, or in containers/auth.json in the folder XDG_RUNTIME_DIR or XDG_CONFIG_HOME.
HTTPS_PROXY, HTTP_PROXY and NO_PROXY name proxies. Connections are encrypted, except to this machine
or with --plain-http.

A request that fails for the moment (status 429 or 5xx, a broken connection) is sent again, up to
four times within 15 seconds. After any failure or interruption, the same command continues.

Exit codes: 0 the registry has all images; 1 an image was not pushed, or a tag names another image;
2 wrong usage.`,
		Example: `  # what would be pushed
  waybill image push --dry-run

  # all images of dist/layout, and their digests in a file
  waybill image push -o yaml > digests.yaml

  # the controller alone, to a registry of your own
  waybill image push waybill --to registry.example.com/platform`,
		ValidArgsFunction: cli.Complete(findImages, cobra.ShellCompDirectiveNoFileComp),
		RunE:              p.run,
	}
	f := cmd.Flags()
	f.StringVar(&p.layout, "layout", "dist/layout", "`DIR` of the OCI layout")
	f.StringVar(&p.options.To, "to", "", "`REGISTRY` or REGISTRY/PATH to push to (default: "+image.Registry+", which the names begin with)")
	f.BoolVar(&p.dryRun, "dry-run", false, "ask the registry what it has, and push nothing")
	f.BoolVar(&p.options.MoveTags, "move-tags", false, "let tags that name other images name these")
	f.BoolVar(&p.options.PlainHTTP, "plain-http", false, "allow HTTP without encryption to a registry that is not on this machine")
	p.out.Add(cmd)
	return cmd
}

func (p *pushCommand) run(cmd *cobra.Command, names []string) error {
	pusher, err := push.New(p.options)
	if err != nil {
		return cli.Usagef("--to %w", err)
	}
	chosen, err := p.choose(names)
	if err != nil {
		return err
	}
	w := pushRun{Pusher: pusher, ctx: cmd.Context(), dryRun: p.dryRun, progress: cli.NewProgress(cmd.ErrOrStderr())}
	rows, err := w.all(chosen)
	w.progress.Done()
	if err != nil && len(rows) == 0 {
		return err
	}
	return errors.Join(p.print(cmd, rows), err)
}

// pushRun is one run of push. An interruption ends it also while a credential helper waits for something.
type pushRun struct {
	*push.Pusher
	ctx      context.Context
	dryRun   bool
	progress *cli.Progress
}

// all asks for all images first, and then pushes them. It returns those that the registry has.
func (w *pushRun) all(chosen []image.Stored) (rows []Row, err error) {
	steps := make([]*push.Step, len(chosen))
	for i, stored := range chosen {
		w.progress.Show(fmt.Sprintf("asking for %s (%d of %d)", stored.Reference, i+1, len(chosen)))
		if steps[i], err = cli.Await(w.ctx, func() (*push.Step, error) { return w.Plan(w.ctx, stored) }); err != nil {
			return nil, err
		}
	}
	if err := distinct(chosen, steps); err != nil {
		return nil, err
	}
	for i, step := range steps {
		w.progress.Show(fmt.Sprintf("pushing %s (%d of %d)", step.Target, i+1, len(steps)))
		row, err := cli.Await(w.ctx, func() (Row, error) { return w.one(chosen[i], step) })
		if err != nil {
			return rows, fmt.Errorf("%w; %d of %d images are pushed", err, i, len(steps))
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// distinct refuses two images for one tag: the second would take it from the first.
func distinct(chosen []image.Stored, steps []*push.Step) error {
	first := map[string]int{}
	for i, step := range steps {
		before, ok := first[step.Target.String()]
		if ok && steps[before].Digest != step.Digest {
			return fmt.Errorf("%s and %s both become %s: push one of them from a layout of its own, or without --to",
				chosen[before].Reference, chosen[i].Reference, step.Target)
		}
		first[step.Target.String()] = i
	}
	return nil
}

func (w *pushRun) one(stored image.Stored, step *push.Step) (Row, error) {
	list, err := image.List(stored.Index)
	row := Row{Name: nameOf(stored), Image: step.Target.String(), Listing: &list, State: unchanged}
	if err != nil || step.Done() {
		return row, err
	}
	if row.State = planned; w.dryRun {
		return row, nil
	}
	row.State = pushed
	return row, w.Do(w.ctx, step)
}

// choose reads the layout, and returns the named images, or all without names. Each is whole.
func (p *pushCommand) choose(names []string) ([]image.Stored, error) {
	all, err := image.ReadLayout(p.layout)
	if err != nil {
		return nil, fmt.Errorf("%w; 'waybill image build --output %s' in a checkout writes images there", err, p.layout)
	}
	var known []string
	for _, s := range all {
		known = append(known, nameOf(s))
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, cli.Usagef("no image in %s is called %q: want one of %s", p.layout, name, strings.Join(slices.Compact(known), ", "))
		}
	}
	if len(names) > 0 {
		all = slices.DeleteFunc(all, func(s image.Stored) bool { return !slices.Contains(names, nameOf(s)) })
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("OCI layout %q holds no image", p.layout)
	}
	for _, s := range all {
		if err := s.Verify(); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// nameOf is the name of an image without registry, path and tag.
func nameOf(s image.Stored) string {
	name, _, _ := strings.Cut(path.Base(s.Reference), ":")
	return name
}

func (p *pushCommand) print(cmd *cobra.Command, rows []Row) error {
	return p.out.Print(cmd.OutOrStdout(), cli.NewList("ImageList", rows), []string{"IMAGE", "DIGEST", "STATE"},
		cli.Rows(rows, func(r Row) []string { return []string{r.Image, r.Digest, r.State} }))
}
