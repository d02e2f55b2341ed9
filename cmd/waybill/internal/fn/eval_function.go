package fn

import (
	"context"
	"fmt"
	"os"
	"strings"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/catalog"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/render"
	"github.com/waybill-dev/waybill/pkg/runner/container"
)

type evalFunction struct {
	functions               cli.FunctionFlags
	image, exec, tag, fnCfg string
	match, exclude          selectorFlags
}

func (f *evalFunction) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVarP(&f.image, "image", "i", "", "`IMAGE` of the function")
	flags.StringVar(&f.exec, "exec", "", "`COMMAND` to run as the function: a program and its arguments, with the quotes of a shell")
	flags.StringVar(&f.tag, "tag", "", "`TAG` of the image, instead of the one in --image")
	flags.StringVar(&f.fnCfg, "fn-config", "", "`FILE` with the config of the function")
	cli.CompleteObjectFiles(cmd, "fn-config")
	completeImages(cmd, "image")
	cli.CompleteFlag(cmd, "tag", func(context.Context, []string, string) ([]cli.Proposal, error) {
		return cli.Texts(catalog.TagsFor(f.functions.WithPrefix(f.image))...), nil
	}, cobra.ShellCompDirectiveNoFileComp)
	f.functions.AddImages(cmd)
	f.functions.AddCache(cmd)
	f.functions.AddWasm(cmd)
	flags.BoolVar(&f.functions.AllowExec, "allow-exec", false, "allow hooks of the function to run executables of this machine")
	flags.BoolVar(&f.functions.AllowNetwork, "network", false, "give the container network access")
	flags.StringArrayVar(&f.functions.Mounts, "mount", nil, "mount a path of this machine, as type=bind,src=/from,dst=/to; "+
		"read-only without rw=true")
	flags.StringArrayVarP(&f.functions.Env, "env", "e", nil, "set a variable in the container: NAME=VALUE, or the NAME of one of this process")
	flags.BoolVar(&f.functions.AsCurrentUser, "as-current-user", false,
		"run the container as the user of this process (default: an unprivileged user)")
	f.match.add(flags, "match", "run on resources with this")
	f.exclude.add(flags, "exclude", "leave out resources with this")
}

func (f *evalFunction) prepare(values []string) (*evalJob, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	options, err := f.functions.Resolve()
	if err != nil {
		return nil, err
	}
	options.AllowExec = f.functions.AllowExec || f.exec != "" // naming a program on the command line allows it
	job := &evalJob{}
	job.Function = kptfilev1.Function{Exec: f.exec, Tag: f.tag}
	if f.image != "" {
		job.Function.Image = options.WithPrefix(f.image)
	}
	if job.Function.Selectors, err = f.match.selectors(); err != nil {
		return nil, err
	}
	if job.Function.Exclusions, err = f.exclude.selectors(); err != nil {
		return nil, err
	}
	if job.Config, err = f.config(values); err != nil {
		return nil, err
	}
	job.functions, err = f.functions.NewFactoryWith(options)
	return job, err
}

func (f *evalFunction) check() error {
	o := &f.functions
	switch {
	case f.image == "" && f.exec == "":
		return cli.Usagef("must specify --image or --exec")
	case f.image != "" && f.exec != "":
		return cli.Usagef("--image and --exec are two functions; eval runs one")
	case f.exec != "" && (f.tag != "" || o.AllowNetwork || o.AsCurrentUser || len(o.Mounts)+len(o.Env) > 0):
		return cli.Usagef("--tag, --mount, --as-current-user, --network and --env can only be used with container functions")
	}
	for _, m := range o.Mounts {
		if err := container.CheckMount(m); err != nil {
			return cli.Usagef("--%w", err)
		}
	}
	for _, v := range o.Env {
		if err := container.CheckEnv(v); err != nil {
			return cli.Usagef("--env: %w", err)
		}
	}
	return nil
}

// config returns the object in the --fn-config file, or one made of the arguments after "--".
func (f *evalFunction) config(values []string) (*krm.Object, error) {
	if f.fnCfg != "" {
		if len(values) > 0 {
			return nil, cli.Usagef("function arguments can only be specified without function config file")
		}
		return readConfig(f.fnCfg)
	}
	kind, data, err := parseValues(values)
	if err != nil {
		return nil, err
	}
	return render.MakeConfig(kind, data)
}

func readConfig(file string) (*krm.Object, error) {
	text, err := os.ReadFile(file)
	if os.IsNotExist(err) {
		return nil, fmt.Errorf("missing function config file: %s", file)
	} else if err != nil {
		return nil, fmt.Errorf("functionConfig: %w", err)
	}
	return render.ReadConfig(file, text)
}

const configMap = "ConfigMap"

// parseValues parses KEY=VALUE arguments. The first argument may be a kind instead.
func parseValues(values []string) (kind string, data map[string]string, err error) {
	kind, data = configMap, map[string]string{}
	if len(values) > 0 && !strings.Contains(values[0], "=") {
		kind, values = values[0], values[1:]
	}
	if kind == "" {
		return "", nil, cli.Usagef("function arguments: the kind is empty")
	}
	for _, v := range values {
		key, value, found := strings.Cut(v, "=")
		if !found || key == "" {
			return "", nil, cli.Usagef("function argument %q: args must have keys and values separated by =", v)
		}
		data[key] = value
	}
	return kind, data, nil
}

type selectorFlags struct {
	selector            kptfilev1.Selector
	labels, annotations []string
	prefix              string
}

func (s *selectorFlags) add(flags *pflag.FlagSet, prefix, does string) {
	s.prefix = prefix
	flags.StringVar(&s.selector.APIVersion, prefix+"-api-version", "", does+" apiVersion")
	flags.StringVar(&s.selector.Kind, prefix+"-kind", "", does+" kind")
	flags.StringVar(&s.selector.Name, prefix+"-name", "", does+" name")
	flags.StringVar(&s.selector.Namespace, prefix+"-namespace", "", does+" namespace")
	flags.StringArrayVar(&s.labels, prefix+"-labels", nil, does+" label, as KEY=VALUE; may be repeated")
	flags.StringArrayVar(&s.annotations, prefix+"-annotations", nil, does+" annotation, as KEY=VALUE; may be repeated")
}

// selectors returns the selector of the flags, or none if the user set no flag.
func (s *selectorFlags) selectors() ([]kptfilev1.Selector, error) {
	out := s.selector
	var err error
	if out.Labels, err = pairs("--"+s.prefix+"-labels", s.labels); err != nil {
		return nil, err
	}
	if out.Annotations, err = pairs("--"+s.prefix+"-annotations", s.annotations); err != nil {
		return nil, err
	}
	if out.IsEmpty() && len(out.Labels) == 0 && len(out.Annotations) == 0 {
		return nil, nil
	}
	return []kptfilev1.Selector{out}, nil
}

// pairs parses the values of a flag; of two with the same key the last one counts.
func pairs(flag string, values []string) (map[string]string, error) {
	var out map[string]string
	for _, v := range values {
		key, value, found := strings.Cut(v, "=")
		if !found || key == "" {
			return nil, cli.Usagef("%s %q: want KEY=VALUE", flag, v)
		}
		if out == nil {
			out = map[string]string{}
		}
		out[key] = value
	}
	return out, nil
}
