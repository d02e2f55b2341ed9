package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/version"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/cmd/waybill/internal/cluster"
)

// groups are the API groups that Waybill uses in a cluster, and what needs them.
var groups = []struct{ version, need string }{
	{"config.porch.kpt.dev/v1alpha1", "kubectl apply -k controllers/manifests installs Repositories and PackageVariants"},
	{"waybill.dev/v1alpha1", "kubectl apply -k controllers/manifests installs Waybill's kinds"},
	{"control.kubestellar.io/v1alpha1", "needed for status and policies in a cluster only"},
	{"work.open-cluster-management.io/v1", "needed on an OCM hub only"},
}

// rights are what 'waybill controller' does first.
var rights = []struct{ verb, group, resource, subresource string }{
	{"list", "config.porch.kpt.dev", "packagevariants", ""},
	{"update", "config.porch.kpt.dev", "packagevariants", "status"},
	{"list", "config.porch.kpt.dev", "repositories", ""},
	{"get", "", "secrets", ""},
}

// clusterChecks checks the cluster that the flags or the kubeconfig name, if they name one.
func clusterChecks(ctx context.Context, flags *cli.ClusterFlags) []Check {
	cfg, err := flags.Config()
	switch {
	case err != nil && !flags.Given() && clientcmd.IsEmptyConfig(errors.Unwrap(err)):
		return []Check{{"cluster", Skipped, "no kubeconfig names a cluster", "optional: 'waybill controller' needs one"}}
	case err != nil:
		return []Check{{"cluster", Failed, err.Error(), "correct the kubeconfig, or name one with --kubeconfig and --context"}}
	}
	cfg.Timeout = patience
	c, err := cluster.For(cfg, metav1.Unversioned, func(s *runtime.Scheme) error {
		metav1.AddToGroupVersion(s, metav1.Unversioned)
		return nil
	})
	if err != nil {
		return []Check{{"cluster", Failed, err.Error(), "correct the kubeconfig"}}
	}
	answer := reach(ctx, cfg.Host, c)
	if answer.State != OK {
		return []Check{answer}
	}
	return []Check{answer, kinds(ctx, c), within(ctx, func(ctx context.Context) Check { return may(ctx, cfg) })}
}

// reach asks the API server at host for its version.
func reach(ctx context.Context, host string, c rest.Interface) Check {
	var known version.Info
	answer, err := c.Get().AbsPath("/version").Do(ctx).Raw()
	if err == nil {
		err = json.Unmarshal(answer, &known)
	}
	if err != nil {
		return Check{"cluster", Failed, host + ": " + err.Error(),
			"start the cluster, or check address, network and credentials in the kubeconfig"}
	}
	return Check{"cluster", OK, host + ", Kubernetes " + known.GitVersion, ""}
}

// kinds checks which groups the API server serves.
func kinds(ctx context.Context, c rest.Interface) Check {
	var served, missing, advice []string
	for _, g := range groups {
		if err := c.Get().AbsPath("/apis/" + g.version).Do(ctx).Error(); err != nil {
			missing, advice = append(missing, g.version), append(advice, g.need)
			continue
		}
		served = append(served, g.version)
	}
	if len(missing) == 0 {
		return Check{"kinds", OK, strings.Join(served, ", "), ""}
	}
	return Check{"kinds", Missing, "not served: " + strings.Join(missing, ", "), strings.Join(advice, "; ")}
}

// may asks the API server what the user may do.
func may(ctx context.Context, cfg *rest.Config) Check {
	var denied []string
	for _, r := range rights {
		asked := map[string]any{"verb": r.verb, "group": r.group, "resource": r.resource, "subresource": r.subresource}
		status, err := cluster.Review(ctx, cfg, "authorization.k8s.io", "SelfSubjectAccessReview", map[string]any{"resourceAttributes": asked})
		if err != nil {
			return Check{"rights", Failed, err.Error(), "ask an administrator whether you may create selfsubjectaccessreviews"}
		}
		if status["allowed"] != true {
			denied = append(denied, fmt.Sprintf("%s %s", r.verb, strings.Trim(r.resource+"/"+r.subresource, "/")))
		}
	}
	if len(denied) > 0 {
		return Check{"rights", Missing, "denied: " + strings.Join(denied, ", "), "controllers/manifests/rbac.yaml has what the controller needs"}
	}
	return Check{"rights", OK, "list and update variants, list repositories, read secrets", ""}
}
