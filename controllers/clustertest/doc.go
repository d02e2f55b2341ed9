// Package clustertest gives tests a real kube-apiserver with a real etcd behind it, and can take both away
// again. Only tests import it.
//
// Shape: a test asks for the Cluster that its test binary shares, or for one of its own, and gets
// configurations to talk to it: as an administrator, or as a ServiceAccount, for whom RBAC decides. What
// is not there: nothing that kube-controller-manager does, so no garbage collection by owner references,
// no end of a namespace, no ServiceAccount "default"; and no pods.
// Cost: about four seconds for a start of both, two or three for a restart of one; 500 MB. Nothing survives the
// process that asked, not even when it is killed: neither programs nor the folder, which is readable to its
// user alone and holds keys made for this cluster. Each process has its own; any number run at once.
// Errors: a test without the programs is skipped or failed by testenv.Need; every other fault ends the test
// that met it, with the last lines of the server's log.
// Source: Kubernetes documentation, kube-apiserver reference; etcd documentation, configuration options.
package clustertest
