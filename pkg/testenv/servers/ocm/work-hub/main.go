// Command work-hub is the controller of Open Cluster Management that makes the ManifestWorks of ManifestWorkReplicaSets, and
// deletes finished works whose time is over, and nothing else: no leader election, no server of its own.
package main

import (
	"context"
	"flag"
	"log"

	"github.com/openshift/library-go/pkg/controller/controllercmd"
	"open-cluster-management.io/api/feature"
	"open-cluster-management.io/ocm/pkg/features"
	"open-cluster-management.io/ocm/pkg/work/hub"
	ctrl "sigs.k8s.io/controller-runtime"
)

func main() {
	flag.Parse() // --kubeconfig
	gates := features.HubMutableFeatureGate
	err := gates.Add(feature.DefaultHubWorkFeatureGates)
	if err == nil {
		err = gates.Set(string(feature.ManifestWorkReplicaSet) + "=true")
	}
	if err == nil {
		err = hub.NewWorkHubManagerConfig(hub.NewWorkHubManagerOptions()).RunWorkHubManager(context.Background(),
			&controllercmd.ControllerContext{KubeConfig: ctrl.GetConfigOrDie()})
	}
	if err != nil {
		log.Fatal(err)
	}
}
