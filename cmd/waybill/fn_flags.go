package main

import (
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/pkg/runner"
	"github.com/waybill-dev/waybill/pkg/runner/choose"
)

// functionFlags are the flags of every command that runs functions.
type functionFlags struct {
	choose.Options
	cache cacheFlags
	wasm  bool
}

// pullPolicies are the values of --image-pull-policy, which kpt takes in any case.
var pullPolicies = []string{"IfNotPresent", "Always", "Never"}

// add adds the flags of a command that runs pipelines.
func (f *functionFlags) add(cmd *cobra.Command) {
	f.addImages(cmd)
	f.addCache(cmd)
	cmd.Flags().BoolVar(&f.AllowExec, "allow-exec", false, "allow pipelines to run executables of this machine")
	cmd.Flags().BoolVar(&f.AllowNetwork, "allow-network", false, "give containers the network")
}

// addImages adds the flags of a command that runs images.
func (f *functionFlags) addImages(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.Runtime, "runtime", "auto", "how functions run: "+strings.Join(choose.Runtimes, ", ")+
		"; auto runs linked functions in-process and others in a container")
	flags.StringVar(&f.PullPolicy, "image-pull-policy", "IfNotPresent", "when to pull images: "+strings.Join(pullPolicies, ", "))
	f.addBounds(cmd)
}

// factory makes the factory that the flags ask for.
func (f *functionFlags) factory() (runner.Factory, error) {
	o, err := f.options()
	if err != nil {
		return nil, err
	}
	return f.factoryOf(o)
}

// factoryOf makes the factory that these options ask for.
func (f *functionFlags) factoryOf(o choose.Options) (runner.Factory, error) {
	factory, err := o.Factory()
	if err == nil && f.wasm {
		return noWasm{factory}, nil
	}
	return factory, err
}

// options completes the flags from the environment, which kpt users set. What does not fit is wrong
// usage, whether or not the package at hand would have needed it.
func (f *functionFlags) options() (choose.Options, error) {
	f.Tags = registryTags
	f.openCache()
	o := f.Options
	if err := f.checkBounds(); err != nil {
		return o, err
	}
	policy, ok := inAnyCase(pullPolicies, f.PullPolicy)
	if !ok {
		return o, usage("--image-pull-policy %q: want %s", f.PullPolicy, strings.Join(pullPolicies, ", "))
	}
	o.PullPolicy = policy
	o.ImagePrefix = os.Getenv("KPT_IMAGE_PREFIX")
	variable := "KRM_FN_RUNTIME"
	if os.Getenv(variable) == "" {
		variable = "KPT_FN_RUNTIME"
	}
	if _, err := o.Factory(); err != nil {
		return o, usage("--runtime: %w", err)
	}
	o.Engine = os.Getenv(variable)
	if _, err := o.Factory(); err != nil {
		return o, usage("environment variable %s: %w", variable, err)
	}
	return o, nil
}

func inAnyCase(known []string, given string) (string, bool) {
	for _, k := range known {
		if strings.EqualFold(k, given) {
			return k, true
		}
	}
	return "", false
}
