// Package ocmtest gives tests a real OCM hub and real managed clusters: API servers, the hub's webhook for
// ManifestWorks, and OCM's work agent on every cluster. Only tests import it.
//
// Shape: the Hub of the test binary, clusters that Join it, and a GitOps agent that brings works to it: it applies all
// that it is given and removes what it was given before and no longer is. A test reads from the cluster what became of the
// objects. What is not there: registration, and all that kube-controller-manager does (see clustertest): no garbage
// collection, no finished Job, no bound claim. Tests play these parts with FinishJob and BindClaim.
// Cost: about five seconds for a hub and as much for each cluster, 500 MB each; a push settles in less than a second.
// Errors: a test without the programs is skipped or failed by testenv.Need; every other fault ends the test that met it,
// with the last lines of the program's log.
// Source: Open Cluster Management documentation, ManifestWork; the agent's flags.
package ocmtest
