package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	authorization "k8s.io/api/authorization/v1"
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
var rights = []authorization.ResourceAttributes{
	{Group: "config.porch.kpt.dev", Resource: "packagevariants", Verb: "list"},
	{Group: "config.porch.kpt.dev", Resource: "packagevariants", Subresource: "status", Verb: "update"},
	{Group: "config.porch.kpt.dev", Resource: "repositories", Verb: "list"},
	{Resource: "secrets", Verb: "get"},
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
	c, err := cluster.For(cfg, authorization.SchemeGroupVersion, authorization.AddToScheme)
	if err != nil {
		return []Check{{"cluster", Failed, err.Error(), "correct the kubeconfig"}}
	}
	answer := reach(ctx, cfg.Host, c)
	if answer.State != OK {
		return []Check{answer}
	}
	return []Check{answer, kinds(ctx, c), within(ctx, func(ctx context.Context) Check { return may(ctx, c) })}
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
func may(ctx context.Context, c rest.Interface) Check {
	var denied []string
	for _, r := range rights {
		review := &authorization.SelfSubjectAccessReview{Spec: authorization.SelfSubjectAccessReviewSpec{ResourceAttributes: &r}}
		if err := c.Post().Resource("selfsubjectaccessreviews").Body(review).Do(ctx).Into(review); err != nil {
			return Check{"rights", Failed, err.Error(), "ask an administrator whether you may create selfsubjectaccessreviews"}
		}
		if !review.Status.Allowed {
			denied = append(denied, fmt.Sprintf("%s %s", r.Verb, strings.Trim(r.Resource+"/"+r.Subresource, "/")))
		}
	}
	if len(denied) > 0 {
		return Check{"rights", Missing, "denied: " + strings.Join(denied, ", "), "controllers/manifests/rbac.yaml has what the controller needs"}
	}
	return Check{"rights", OK, "list and update variants, list repositories, read secrets", ""}
}
