// Package ocmtest gives tests a real OCM hub and real managed clusters: API servers, the hub's webhook for ManifestWorks, and
// OCM's work agent on every cluster. Only tests import it.
//
// Shape: the Hub of the test binary, or one of a test; clusters that Join it; and a GitOps agent that applies works to it and
// deletes those of earlier pushes. A test reads the objects from the cluster. Fleet is a package whose life a test leads;
// AwaitApplied waits for agents, and Identities tell whether objects kept their uids, also when another tool applied the works,
// such as the real Flux of fluxtest. There is no registration, and no kube-controller-manager (see clustertest): no
// garbage collection, no finished Job, no bound claim, no pod, no end of a deletion that finalizers delay.
// Tests do these parts with FinishJob, BindClaim, RunPods and FinishDeletion.
// Cost: about five seconds for a hub and for each cluster, 500 MB each; a push settles in less than a second.
// Errors: testenv.Need skips or fails a test without the programs; every other fault ends the test, with the last lines of
// the program's log.
// Source: Open Cluster Management documentation, ManifestWork; the agent's flags.
package ocmtest
