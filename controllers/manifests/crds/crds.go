// Package crds holds the CustomResourceDefinitions of the kinds that the controllers read, as
// generated from the types in pkg/api: Repository, PackageVariant and PackageVariantSet of
// config.porch.kpt.dev, ChangeBudget, MapController, PublishedResource, BackendTable and BackendInventory of
// waybill.dev, and Translation of midonet.org. Kinds that stand in files alone have none. After a change to the
// types run "go generate" here; a test fails when the files drift.
//
// Shape: one YAML file for each kind, to be applied or read from Files. Schemas are structural, have
// no defaults and no enums, as Porch's; what Porch's controller would say in a status, rules say at
// once, in the same words. Objects that were stored before and break a rule can still be changed
// elsewhere: an API server does not look at a part that stays as it is.
// Cost: the rules fit the cost limits of API servers from Kubernetes 1.30 on because lists are bounded.
// Errors: none.
// Source: the marks in pkg/api; Porch's API group config.porch.kpt.dev.
package crds

import "embed"

//go:generate go tool controller-gen crd paths=../../../pkg/api/porchconfig/... paths=../../../pkg/api/waybill paths=../../../pkg/api/midonet output:crd:dir=.
//go:generate rm waybill.dev_backendplans.yaml waybill.dev_hookrecordings.yaml waybill.dev_maprequests.yaml waybill.dev_relatedresources.yaml

// Files are the definitions, one file for each kind.
//
//go:embed *.yaml
var Files embed.FS
