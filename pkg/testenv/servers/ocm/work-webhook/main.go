// Command work-webhook is the webhook of Open Cluster Management that checks ManifestWorks for a hub, and nothing else.
// Theirs listens for health checks on a port that cannot be chosen.
package main

import (
	"log"

	flag "github.com/spf13/pflag"
	"k8s.io/apimachinery/pkg/runtime"
	"open-cluster-management.io/api/feature"
	v1 "open-cluster-management.io/api/work/v1"
	"open-cluster-management.io/ocm/pkg/features"
	"open-cluster-management.io/ocm/pkg/work/webhook"
	"open-cluster-management.io/ocm/pkg/work/webhook/common"
	webhookv1 "open-cluster-management.io/ocm/pkg/work/webhook/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	serving "sigs.k8s.io/controller-runtime/pkg/webhook"
)

func main() {
	options, at, scheme := webhook.NewOptions(), serving.Options{Host: "127.0.0.1"}, runtime.NewScheme()
	options.AddFlags(flag.CommandLine)
	flag.IntVar(&at.Port, "port", 9443, "port to serve at")
	flag.StringVar(&at.CertDir, "certdir", "", "folder of tls.crt and tls.key")
	flag.Parse()
	common.ManifestValidator.WithLimit(options.ManifestLimit)
	must(features.HubMutableFeatureGate.Add(feature.DefaultHubWorkFeatureGates))
	must(v1.Install(scheme))
	manager, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{
		Scheme: scheme, Metrics: server.Options{BindAddress: "0"}, WebhookServer: serving.NewServer(at)})
	must(err)
	must((&webhookv1.ManifestWorkWebhook{}).Init(manager))
	must(manager.Start(ctrl.SetupSignalHandler()))
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
