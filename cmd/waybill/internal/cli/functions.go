package cli

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"
	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/pkg/render"
	"github.com/waybill-dev/waybill/pkg/runner"
	"github.com/waybill-dev/waybill/pkg/runner/choose"
)

// FunctionFlags are the flags of every command that runs functions.
type FunctionFlags struct {
	choose.Options
	CacheFlags CacheFlags
	wasm       bool
	memory     ownMemory
}

// pullPolicies are the values of --image-pull-policy; like kpt, waybill ignores case.
var pullPolicies = []string{"IfNotPresent", "Always", "Never"}

// Add adds the flags of a command that runs pipelines.
func (f *FunctionFlags) Add(cmd *cobra.Command) {
	f.AddImages(cmd)
	f.AddCache(cmd)
	cmd.Flags().BoolVar(&f.AllowExec, "allow-exec", false, "allow pipelines to run executables of this machine")
	cmd.Flags().BoolVar(&f.AllowNetwork, "allow-network", false, "give containers network access")
	cmd.Flags().Var(&f.memory, "memory", "stay within this much memory, such as 512Mi, if the package fits into it, in exchange for time "+
		"(default: nine tenths of what the machine or container has; containers and executables do not count)")
}

// AddImages adds the flags of a command that runs images.
func (f *FunctionFlags) AddImages(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.Runtime, "runtime", "auto", "how functions run: "+strings.Join(choose.Runtimes, ", ")+
		"; auto runs linked functions in-process and others in a container")
	flags.StringVar(&f.PullPolicy, "image-pull-policy", "IfNotPresent", "when to pull images: "+strings.Join(pullPolicies, ", "))
	CompleteChoices(cmd, "runtime", choose.Runtimes...)
	CompleteChoices(cmd, "image-pull-policy", pullPolicies...)
	flags.DurationVar(&f.Limits.Time, "function-timeout", 5*time.Minute,
		"stop a function after this time; a function also stops when it prints more than 256 MiB and twice its input")
	flags.Var((*memoryValue)(&f.Limits.Memory), "function-memory", "stop a function that needs more memory, such as 512Mi "+
		"(default: 2Gi for containers, no limit for executables; linked functions share the memory of waybill)")
}

// NewFactory returns the factory that the flags describe.
func (f *FunctionFlags) NewFactory() (runner.Factory, error) {
	o, err := f.Resolve()
	if err != nil {
		return nil, err
	}
	return f.NewFactoryWith(o)
}

// NewFactoryWith returns the factory for these options.
func (f *FunctionFlags) NewFactoryWith(o choose.Options) (runner.Factory, error) {
	factory, err := o.Factory()
	if err == nil && f.wasm {
		return noWasm{factory}, nil
	}
	return factory, err
}

// Resolve returns the options, with those that kpt users set in the environment. It validates all flags, even those that
// the package does not need.
func (f *FunctionFlags) Resolve() (choose.Options, error) {
	f.Tags = RegistryTags
	f.LimitMemory()
	if err := f.openCache(); err != nil {
		return f.Options, err
	}
	o := f.Options
	if f.Limits.Time <= 0 {
		return o, Usagef("--function-timeout %s: want more than 0", f.Limits.Time)
	}
	policy := slices.IndexFunc(pullPolicies, func(p string) bool { return strings.EqualFold(p, f.PullPolicy) })
	if policy < 0 {
		return o, Usagef("--image-pull-policy %q: want %s", f.PullPolicy, strings.Join(pullPolicies, ", "))
	}
	o.PullPolicy = pullPolicies[policy]
	o.ImagePrefix = os.Getenv("KPT_IMAGE_PREFIX")
	variable := "KRM_FN_RUNTIME"
	if os.Getenv(variable) == "" {
		variable = "KPT_FN_RUNTIME"
	}
	if _, err := o.Factory(); err != nil {
		return o, Usagef("--runtime: %w", err)
	}
	o.Engine = os.Getenv(variable)
	if _, err := o.Factory(); err != nil {
		return o, Usagef("environment variable %s: %w", variable, err)
	}
	return o, nil
}

// registryTimeout limits how long a registry may take to list its tags.
const registryTimeout = time.Minute

// RegistryTags lists the tags of a repository, with the credentials that container engines use.
func RegistryTags(ctx context.Context, repository string) ([]string, error) {
	repo, err := name.NewRepository(repository)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, registryTimeout)
	defer cancel()
	return remote.List(repo, remote.WithContext(ctx), remote.WithAuthFromKeychain(authn.DefaultKeychain))
}

// RenderCache returns the cache of whole renders; nil without a cache.
func (f *FunctionFlags) RenderCache() render.Cache {
	if f.Cache == nil {
		return nil
	}
	return f.Cache
}

// AddWasm adds kpt's flag for WASM functions.
func (f *FunctionFlags) AddWasm(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.wasm, "allow-alpha-wasm", false, "treat images and executables as WASM, as kpt does; waybill runs no WASM, "+
		"so only linked functions run")
}

// FunctionName returns the image or executable of a function.
func FunctionName(f *kptfilev1.Function) string { return cmp.Or(f.Image, f.Exec) }

// noWasm refuses every image and executable, which kpt runs as WASM with --allow-alpha-wasm. Linked functions still run.
type noWasm struct{ runner.Factory }

func (n noWasm) Prepare(ctx context.Context, f *kptfilev1.Function) (runner.Runner, error) {
	run, err := n.Factory.Prepare(ctx, f)
	if err != nil && f.Image == "" || err == nil && run.Kind() == "in-process" {
		return run, err
	}
	return nil, fmt.Errorf("with --allow-alpha-wasm %q is a WASM function, and waybill runs no WASM functions; "+
		"leave the flag out to run a container or an executable", FunctionName(f))
}
