// Package choose settles how each function of a pipeline is run.
//
// Shape: Options in, a runner.Factory out. An image that is linked into the binary runs in-process
// unless a container engine was named; any other image runs in a container; executables run only
// when allowed. The choice never changes the bytes.
// Errors: say what is not allowed, not linked or not valid, and which option would help.
package choose

import (
	"context"
	"errors"
	"fmt"
	osexec "os/exec"
	"regexp"
	"slices"
	"strings"

	"github.com/distribution/reference"
	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/catalog"
	"github.com/waybill-dev/waybill/pkg/runner"
	"github.com/waybill-dev/waybill/pkg/runner/container"
	"github.com/waybill-dev/waybill/pkg/runner/exec"
	"github.com/waybill-dev/waybill/pkg/runner/inproc"
)

// DefaultPrefix is put before an image named without a slash, as kpt does.
const DefaultPrefix = "ghcr.io/kptdev/krm-functions-catalog"

// Runtimes are the values of Options.Runtime.
var Runtimes = append([]string{"auto", "inproc"}, container.Engines...)

// Options say what may be run and how. The zero value runs linked functions in-process, other
// images with the first engine that is installed, and no executables.
type Options struct {
	Runtime      string // one of Runtimes; "" is auto
	Engine       string // the engine auto falls back to; "" is the first one installed
	AllowExec    bool
	AllowNetwork bool
	PullPolicy   string
	ImagePrefix  string // "" is DefaultPrefix
	Limits       exec.Limits
}

// Factory returns a runner.Factory that follows o.
func (o Options) Factory() (runner.Factory, error) {
	if o.Runtime == "" {
		o.Runtime = "auto"
	}
	if !slices.Contains(Runtimes, o.Runtime) {
		return nil, fmt.Errorf("runtime %q: want one of %s", o.Runtime, strings.Join(Runtimes, ", "))
	}
	if o.Engine != "" && !slices.Contains(container.Engines, o.Engine) {
		return nil, fmt.Errorf("container engine %q: want one of %s", o.Engine, strings.Join(container.Engines, ", "))
	}
	return factory{o}, nil
}

type factory struct{ Options }

// Prepare settles how f runs.
func (o factory) Prepare(_ context.Context, f *kptfilev1.Function) (runner.Runner, error) {
	if f.Exec != "" {
		if !o.AllowExec {
			return nil, errors.New("must run with `--allow-exec` option to allow running function binaries")
		}
		return exec.New(f.Exec, o.Limits)
	}
	image, err := o.image(f)
	if err != nil {
		return nil, err
	}
	if o.Runtime == "auto" || o.Runtime == "inproc" {
		if linked := catalog.ByImage(image); linked != nil {
			return inproc.New(linked), nil
		}
	}
	engine, err := o.engine(image)
	if err != nil {
		return nil, err
	}
	return container.New(image, container.Options{
		Engine: engine, PullPolicy: o.PullPolicy, AllowNetwork: o.AllowNetwork, Limits: o.Limits,
	})
}

func (o factory) engine(image string) (string, error) {
	switch {
	case o.Runtime == "inproc":
		return "", fmt.Errorf("image %q is not linked into this binary; use another --runtime to run it in a container", image)
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
	return "", fmt.Errorf("image %q is not linked into this binary, and no container engine (%s) is installed",
		image, strings.Join(container.Engines, ", "))
}

// exactTag is a tag, as opposed to a version constraint.
var exactTag = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$`)

// image completes the name of an image the way kpt does: prefix, tag field, latest.
func (o factory) image(f *kptfilev1.Function) (string, error) {
	image := f.Image
	if !strings.Contains(image, "/") {
		prefix := o.ImagePrefix
		if prefix == "" {
			prefix = DefaultPrefix
		}
		image = strings.TrimSuffix(prefix, "/") + "/" + image
	}
	named, err := reference.ParseNormalizedNamed(image)
	if err != nil {
		return "", fmt.Errorf("image %q: %w", f.Image, err)
	}
	if f.Tag != "" {
		if !exactTag.MatchString(f.Tag) {
			return "", fmt.Errorf("image %q: tag %q is a version constraint; name one version", f.Image, f.Tag)
		}
		return reference.TrimNamed(named).String() + ":" + f.Tag, nil
	}
	return reference.TagNameOnly(named).String(), nil
}
