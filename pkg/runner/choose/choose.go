// Package choose decides how each function of a pipeline is run.
//
// Shape: Options in, a runner.Factory out. An image that is linked into the binary runs in-process
// unless a container engine was named; any other image runs in a container; executables run only
// when allowed. A tag that is a version constraint is resolved once for each Factory. The choice never
// changes the output.
// Cost: nothing; a version constraint lists the tags of an image, from the engine and, if allowed, the registry.
// Errors: they say what is not allowed, not linked or not valid, and which option helps.
// Source: kpt fn render; docs/kpt-differences.md lists where the choice differs.
package choose

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	osexec "os/exec"
	"slices"
	"strings"

	"github.com/distribution/reference"
	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/catalog"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/runner"
	"github.com/waybill-dev/waybill/pkg/runner/container"
	"github.com/waybill-dev/waybill/pkg/runner/exec"
	"github.com/waybill-dev/waybill/pkg/runner/inproc"
	"github.com/waybill-dev/waybill/pkg/runner/memo"
)

// DefaultPrefix is put before an image named without a slash, as kpt does.
const DefaultPrefix = "ghcr.io/kptdev/krm-functions-catalog"

// Runtimes are the values of Options.Runtime.
var Runtimes = append([]string{"auto", "inproc"}, container.Engines...)

// Options say what may run and how. The zero value runs linked functions in-process, other
// images with the first engine that is installed, and no executables.
type Options struct {
	Runtime      string // one of Runtimes; "" is auto
	Engine       string // the engine auto falls back to; "" is the first one installed
	AllowExec    bool
	AllowNetwork bool
	PullPolicy   string
	ImagePrefix  string      // "" is DefaultPrefix
	Limits       exec.Limits // for linked functions only the time
	Cache        *memo.Cache // of the output of functions in containers; nil for none

	// Tags lists the tags of a repository in the registry, for version constraints. Nil means that there is
	// no registry.
	Tags func(ctx context.Context, repository string) ([]string, error)

	// For containers only; a linked function needs none of it.
	Mounts        []string // see container.Options
	Env           []string // see container.Options
	AsCurrentUser bool
}

// Factory returns a runner.Factory that follows o.
func (o Options) Factory() (runner.Factory, error) {
	o.Runtime = cmp.Or(o.Runtime, "auto")
	if !slices.Contains(Runtimes, o.Runtime) {
		return nil, fmt.Errorf("runtime %q: want one of %s", o.Runtime, strings.Join(Runtimes, ", "))
	}
	if o.Engine != "" && !slices.Contains(container.Engines, o.Engine) {
		return nil, fmt.Errorf("container engine %q: want one of %s", o.Engine, strings.Join(container.Engines, ", "))
	}
	return factory{o, &resolvedTags{tags: map[string]string{}}}, nil
}

type factory struct {
	Options
	resolvedTags *resolvedTags
}

// Prepare decides how f runs.
func (o factory) Prepare(ctx context.Context, f *kptfilev1.Function) (runner.Runner, error) {
	if f.Exec != "" {
		if !o.AllowExec {
			return nil, errors.New("must run with `--allow-exec` option to allow running function binaries")
		}
		run, err := exec.New(f.Exec, o.Limits)
		if err != nil {
			return nil, err
		}
		return withFiles(run, f), nil
	}
	image, err := o.image(ctx, f)
	if err != nil {
		return nil, err
	}
	if linked := o.linked(image); linked != nil {
		return inproc.WithCaller(linked, o.Limits.Time, caller{o}), nil
	}
	engine, err := o.engine(image)
	if err != nil {
		return nil, err
	}
	contained, err := container.New(image, o.container(engine, image))
	if err != nil {
		return nil, err
	}
	return withFiles(o.Cache.Wrap(contained), &kptfilev1.Function{Image: image}), nil
}

func (o factory) container(engine, image string) container.Options {
	hint := ""
	if tags := catalog.TagsFor(image); len(tags) > 0 {
		hint = "; waybill runs the function of this name without an image for the tags " + strings.Join(tags, ", ")
	}
	return container.Options{
		Engine: engine, PullPolicy: o.PullPolicy, AllowNetwork: o.AllowNetwork, Limits: o.Limits,
		Mounts: o.Mounts, Env: o.Env, AsCurrentUser: o.AsCurrentUser, Hint: hint,
	}
}

// linked is the linked function that replaces an image, nil when the image itself runs.
func (o factory) linked(image string) *fn.Function {
	if o.Runtime != "auto" && o.Runtime != "inproc" {
		return nil
	}
	return catalog.ByImage(image)
}

func (o factory) engine(image string) (string, error) {
	switch {
	case o.Runtime == "inproc":
		return "", fmt.Errorf("image %q is not linked into this binary%s; use another --runtime to run it in a container",
			image, otherTags(image))
	case o.Runtime != "auto":
		return o.Runtime, nil
	case o.Engine != "":
		return o.Engine, nil
	}
	for _, e := range container.Engines {
		if _, err := osexec.LookPath(e); err == nil {
			return e, nil
		}
	}
	return "", fmt.Errorf("image %q is not linked into this binary%s, and no container engine (%s) is installed",
		image, otherTags(image), strings.Join(container.Engines, ", "))
}

// otherTags names the tags of an image for which a linked function stands in.
func otherTags(image string) string {
	tags := catalog.TagsFor(image)
	if len(tags) == 0 {
		return ""
	}
	return fmt.Sprintf(" (the function of this name is, for the tags %s)", strings.Join(tags, ", "))
}

// WithPrefix puts the prefix before an image that is named without a slash.
func (o Options) WithPrefix(image string) string {
	if strings.Contains(image, "/") {
		return image
	}
	return strings.TrimSuffix(cmp.Or(o.ImagePrefix, DefaultPrefix), "/") + "/" + image
}

// image completes the name of an image as kpt does: prefix, tag field, latest.
func (o factory) image(ctx context.Context, f *kptfilev1.Function) (string, error) {
	named, err := reference.ParseNormalizedNamed(o.WithPrefix(f.Image))
	if err != nil {
		return "", fmt.Errorf("image %q: %w", f.Image, err)
	}
	if f.Tag == "" {
		return reference.TagNameOnly(named).String(), nil
	}
	repository := reference.TrimNamed(named).String()
	tag, err := o.tag(ctx, repository, f.Tag)
	if err != nil {
		return "", fmt.Errorf("image %q: tag %q: %w", f.Image, f.Tag, err)
	}
	return repository + ":" + tag, nil
}
