// Package manifests holds what installs the controller into a cluster; there is no code here but tests.
//
// Shape: a kustomization of all parts, for "kubectl apply -k"; the component namespaced narrows it to
// one namespace. The definitions of the kinds are in crds, generated; docs/reference is generated from
// them by reference. Everything else is written by hand, small enough to be read, and held by tests to
// what the code does: rights to the requests that the controller makes, the image's name to the
// catalogue's, the pod to what a restricted namespace admits.
// Cost: two pods of 256 MiB, one of which idles; more memory with more repositories.
// Errors: those of kubectl.
// Source: Kubernetes documentation: pod security standards, RBAC, kustomize.
package manifests
