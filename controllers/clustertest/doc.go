// Package clustertest gives tests a real kube-apiserver with a real etcd, and can stop both. Only tests import it.
//
// Shape: a test asks for the Cluster that its test binary shares, or for one of its own, and gets configurations to
// access it: as an administrator, or as a ServiceAccount, for whom RBAC decides. There is no kube-controller-manager,
// so no garbage collection by owner references, no end of a namespace, no ServiceAccount "default"; and there are no
// pods.
// Cost: about four seconds for a start of both, two or three for a restart of one; 500 MB. Nothing survives the process
// that started the cluster, even if that is killed: neither programs nor the folder, which is readable for its user
// alone and holds keys made for this cluster. Each process has its own; any number of them may run at the same time.
// Errors: testenv.Need skips or fails a test without the programs; every other fault ends the test, with the last lines
// of the server's log.
// Source: Kubernetes documentation, kube-apiserver reference; etcd documentation, configuration options.
package clustertest
