// Command work-agent is the agent of Open Cluster Management that applies ManifestWorks to a cluster, and nothing else: no
// leader election, no server of its own.
package main

import (
	"context"
	"log"

	"github.com/openshift/library-go/pkg/controller/controllercmd"
	flag "github.com/spf13/pflag"
	"open-cluster-management.io/api/feature"
	"open-cluster-management.io/ocm/pkg/common/options"
	"open-cluster-management.io/ocm/pkg/features"
	"open-cluster-management.io/ocm/pkg/work/spoke"
	"open-cluster-management.io/ocm/pkg/work/spoke/controllers/manifestcontroller"
)

func main() {
	agent, work := options.NewAgentOptions(), spoke.NewWorkloadAgentOptions()
	agent.AddFlags(flag.CommandLine)
	work.AddFlags(flag.CommandLine)
	flag.DurationVar(&manifestcontroller.ResyncInterval, "resync-interval", manifestcontroller.ResyncInterval,
		"how long until a work that has not changed is applied again, or up to half as long more")
	flag.Parse()
	err := features.SpokeMutableFeatureGate.Add(feature.DefaultSpokeWorkFeatureGates)
	if err == nil {
		err = spoke.NewWorkAgentConfig(agent, work).RunWorkloadAgent(context.Background(), &controllercmd.ControllerContext{})
	}
	if err != nil {
		log.Fatal(err)
	}
}
