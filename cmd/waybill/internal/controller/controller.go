// Package controller has the command `waybill controller`, which turns flags into the options of the controllers.
package controller

import (
	"io"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/go-logr/logr"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
	ctrllog "sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/cmd/waybill/internal/reconcile"
	"github.com/waybill-dev/waybill/controllers/manager"
	"github.com/waybill-dev/waybill/controllers/porchstore"
	"github.com/waybill-dev/waybill/controllers/repository"
	"github.com/waybill-dev/waybill/pkg/variant/shard"
)

type command struct {
	where               cli.ClusterFlags
	logFormat, logLevel string
	options             manager.Options
	porch, selector     string
	shard, shardBy      string
	revisions           string
	status              statusFlags
	push                pushFlags
	maps                mapFlags
	sync                syncFlags
	functions           cli.FunctionFlags
}

// registryCache bounds what is cached of registries, in bytes: the volume of the Deployment has room for that beside the functions' cache.
const registryCache = 256 << 20

// The values of --shard-by.
const (
	shardByObject    = "object"
	shardByNamespace = "namespace"
)

// NewCommand returns `waybill controller`.
func NewCommand() *cobra.Command {
	var c command
	cmd := &cobra.Command{
		Use:   "controller",
		Short: "Draft in Git what the PackageVariants of a cluster want, until it is stopped",
		Long: `Controller does in a Kubernetes cluster what 'waybill reconcile' does with files. It reads
Repositories, PackageVariants, PackageVariantSets and ChangeBudgets, and commits drafts of what the
variants want to Git. It drafts again when a variant, its upstream or an injected object changes.
Status and events show the results.

With --status it also combines what clusters report to this cluster in WorkStatuses and
ManifestWorks. The results are CombinedStatuses, as the StatusCollectors of Bindings ask, and the
statuses of workload objects whose Bindings ask for it. With --status-repository it reads Bindings,
StatusCollectors and objects from a package in Git, and commits the CombinedStatuses to a branch of
the repository.

With --push-table it pushes Translations to a backend over HTTP, as 'waybill push' does. It removes
the finalizer of a deleted Translation when the backend holds nothing of it.

With --map it reconciles MapControllers: for every object that a parent selects, it keeps the
objects that hooks ask for. Hooks are CEL, functions or HTTP servers.

With --sync-kubeconfig it reconciles PublishedResources: it copies objects that consumers create in
workspaces of other API servers to this cluster, and copies their status back.

With one of these, the API server may lack the CustomResourceDefinitions of packages: the controller
reconciles PackageVariants as soon as they exist. --status-repository needs them.

With --revisions porch it reads and writes package revisions through Porch's API server in place of
Git, as Porch's own controllers of PackageVariants do. It needs no access to Git, and watches in
place of polling.

Beside a Porch, which keeps the status of Repositories, it writes only conditions of its own there,
waybill.dev/Ready and Overlapping. With --notify-porch it tells Porch when a repository changed.

With --shard, --namespace or --watch-label-selector several controllers divide the work of a
cluster, each with a lease of its own. Every object must be for one of them, and for no other.

It finds the cluster as kubectl does or, in a pod, uses the cluster of the pod. With --leader-elect
one of several controllers works, and the others wait. The API server decides who may read metrics.

Exit codes: 0 ended by a signal; 1 it could not start, or another process leads; 2 wrong usage.`,
		Example: `  # in a pod
  waybill controller --leader-elect

  # on a laptop, for one namespace
  waybill controller --namespace fleet --log-format text`,
		Args: cli.Args(cli.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return c.run(cmd) },
	}
	c.addCluster(cmd)
	c.addWork(cmd)
	c.addPorch(cmd)
	c.status.add(cmd)
	c.push.add(cmd)
	c.maps.add(cmd)
	c.sync.add(cmd)
	cli.CompleteNamespaces(cmd, &c.where.Kubeconfig, "push-namespace", "map-namespace", "sync-state-namespace")
	c.functions.Add(cmd)
	return cmd
}

func (c *command) addCluster(cmd *cobra.Command) {
	flags, o := cmd.Flags(), &c.options
	c.where.Add(cmd)
	flags.StringSliceVar(&o.Namespaces, "namespace", nil, "`NAME` of a namespace to work in, repeatable (default: all)")
	flags.StringVar(&c.selector, "watch-label-selector", "", "work only on the PackageVariants, PackageVariantSets and "+
		"Repositories that this label `SELECTOR` selects; other controllers work on the rest (default: all)")
	flags.StringVar(&c.shard, "shard", "", "`NUMBER/COUNT`: work only on this one of several parts into which names divide the "+
		"PackageVariants, PackageVariantSets and Repositories, such as 1/2, beside another controller with 2/2 (default: all)")
	cli.AddChoice(cmd, &c.shardBy, "shard-by", "", shardByObject, "what --shard keeps together: %s; an object, or all objects of a namespace",
		shardByObject, shardByNamespace)
	flags.BoolVar(&o.LeaderElection, "leader-elect", false, "let only one of several controllers work at a time")
	flags.StringVar(&o.LeaderElectionNamespace, "leader-elect-namespace", "",
		"`NAME` of the namespace of the lease (default: the namespace of the pod)")
	flags.StringVar(&o.Lease, "leader-elect-lease", "", "`NAME` of the lease "+
		"(default: one that follows from --namespace, --watch-label-selector and --shard)")
	flags.StringVar(&o.MetricsAddress, "metrics-bind-address", "0", "`ADDRESS` that serves metrics over HTTPS, such as :8443; 0 for none")
	flags.BoolVar(&o.InsecureMetrics, "metrics-insecure", false, "serve metrics over HTTP, without authorization")
	flags.StringVar(&o.ProbeAddress, "health-probe-bind-address", "0", "`ADDRESS` that serves /healthz and /readyz, such as :8081; 0 for none")
	cli.CompleteNamespaces(cmd, &c.where.Kubeconfig, "namespace", "leader-elect-namespace")
}

func (c *command) addWork(cmd *cobra.Command) {
	flags, o := cmd.Flags(), &c.options
	flags.DurationVar(&o.PollInterval, "poll-interval", time.Minute, "time between two polls of a repository without a schedule")
	flags.IntVar(&o.Workers, "workers", 4, "how many namespaces, and repositories of one Git server, are reconciled at a time")
	flags.DurationVar(&o.Git.Timeout, "git-timeout", 10*time.Minute, "the longest time of one exchange with a Git server")
	cli.AddDeleteEdited(cmd, &o.DeleteEditedDrafts)
	cli.AddChoice(cmd, &c.logFormat, "log-format", "", "json", "how to log, on stderr: %s", "text", "json")
	flags.StringVar(&c.logLevel, "log-level", "info", "what to log: debug, info, warn or error")
	cli.CompleteChoices(cmd, "log-level", "debug", "info", "warn", "error")
}

func (c *command) addPorch(cmd *cobra.Command) {
	cli.AddChoice(cmd, &c.porch, "porch", "", string(repository.PorchDetected),
		"whether a Porch keeps the status of Repositories: %s; auto asks the API server", string(repository.PorchDetected),
		string(repository.PorchPresent), string(repository.PorchAbsent))
	cmd.Flags().BoolVar(&c.options.NotifyPorch, "notify-porch", false,
		"have Porch read a repository again when it changed: set spec.sync.runOnceAt and an annotation of its Repository")
	cli.AddRevisions(cmd, &c.revisions)
}

func (c *command) run(cmd *cobra.Command) error {
	log, err := c.logger(cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	if c.options.Git.Timeout < time.Second {
		return cli.Usagef("want a --git-timeout of 1s or more")
	}
	if c.options.PollInterval < time.Second || c.options.Workers < 1 {
		return cli.Usagef("want a --poll-interval of 1s or more, and 1 or more --workers")
	}
	if err := c.readShard(); err != nil {
		return err
	}
	c.options.Porch = repository.Presence(c.porch)
	if c.options.RevisionsInPorch = c.revisions == cli.RevisionsInPorch; c.options.RevisionsInPorch {
		if err := refuse(cmd, "is for --revisions git", "notify-porch", "porch"); err != nil {
			return err
		}
	}
	c.options.CombinedStatus, err = c.status.options(cmd)
	if err == nil {
		c.options.Translation, err = c.push.options(cmd)
	}
	if err == nil {
		c.options.MapController, err = c.maps.options(cmd)
	}
	if err == nil {
		c.options.PublishedResource, err = c.sync.options(cmd)
	}
	c.functions.CacheFlags.Log(func(err error) { log.Info("something is not cached", "reason", cli.OneLine(err)) })
	if err == nil {
		c.options.Functions, err = c.functions.NewFactory()
	}
	if err != nil {
		return err
	}
	cfg, err := cli.Await(cmd.Context(), c.where.Config)
	if err != nil {
		return err
	}
	c.options.Registry.Client.Cache = c.functions.CacheFlags.Registries(registryCache)
	ctrllog.SetLogger(log)
	klog.SetLogger(log)
	c.options.Log = log
	const pause = 2 * time.Second
	go cli.StaySmall(cmd.Context(), pause)
	return manager.Run(cmd.Context(), cfg, c.options)
}

// readShard reads what divides the work between several controllers.
func (c *command) readShard() (err error) {
	of := &c.options.Shard
	if of.Selector, err = labels.Parse(c.selector); err == nil {
		err = manager.CheckShard(*of)
	}
	if err != nil {
		return cli.Usagef("--watch-label-selector %q: %v", c.selector, err)
	}
	if of.Number, of.Count, err = shard.Parse(c.shard); err != nil {
		return cli.Usagef("--shard %q: %v", c.shard, err)
	}
	of.ByNamespace = c.shardBy == shardByNamespace
	if of.ByNamespace && of.Count == 0 {
		return cli.Usagef("--shard-by needs --shard")
	}
	if faults := validation.IsDNS1123Subdomain(c.options.Lease); c.options.Lease != "" && len(faults) > 0 {
		return cli.Usagef("--leader-elect-lease %q: %s", c.options.Lease, faults[0])
	}
	return nil
}

func (c *command) logger(w io.Writer) (logr.Logger, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(c.logLevel)); err != nil {
		return logr.Logger{}, cli.Usagef("--log-level %q: want debug, info, warn or error", c.logLevel)
	}
	o := &slog.HandlerOptions{Level: level}
	if c.logFormat == "text" {
		return logr.FromSlogHandler(slog.NewTextHandler(w, o)), nil
	}
	return logr.FromSlogHandler(slog.NewJSONHandler(w, o)), nil
}

// objectName parses NAMESPACE/NAME; "" names no object.
func objectName(flag, value string) (types.NamespacedName, error) {
	namespace, name, both := strings.Cut(value, "/")
	if value != "" && (!both || namespace == "" || name == "" || strings.Contains(name, "/")) {
		return types.NamespacedName{}, cli.Usagef("--%s %q: want NAMESPACE/NAME", flag, value)
	}
	return types.NamespacedName{Namespace: namespace, Name: name}, nil
}

// refusePrefix returns a usage error about a flag with this prefix that the user set without the flag that it needs.
func refusePrefix(cmd *cobra.Command, prefix, needs string) error {
	var names []string
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if f.Name != needs && strings.HasPrefix(f.Name, prefix) {
			names = append(names, f.Name)
		}
	})
	return refuse(cmd, "needs --"+needs, names...)
}

// refuse returns a usage error about the first of these flags that the user set; why follows its name.
func refuse(cmd *cobra.Command, why string, flags ...string) error {
	i := slices.IndexFunc(flags, cmd.Flags().Changed)
	if i < 0 {
		return nil
	}
	return cli.Usagef("--%s %s", flags[i], why)
}

// OpenPorch opens the repositories of a cluster with a Porch, for `waybill reconcile`.
func OpenPorch(cluster *rest.Config) (reconcile.PorchRepositories, error) {
	return porchstore.NewRepositories(cluster)
}
