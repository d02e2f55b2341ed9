// Package crds holds the CustomResourceDefinitions of the kinds that the controllers read, as
// generated from the types in pkg/api: Repository, PackageVariant and PackageVariantSet of
// config.porch.kpt.dev, ChangeBudget, MapController, PublishedResource, BackendTable and BackendInventory of
// waybill.dev, and Translation of midonet.org. Kinds that are used in files only have none. After a change to the
// types run "go generate" here; a test fails when the files differ.
//
// Shape: one YAML file for each kind, to be applied or read from Files. Schemas are structural, have
// no defaults and no enums, like Porch's; messages of Porch's controller in a status are rules here,
// with the same text. Objects that were stored before and break a rule can still be changed in other
// parts: an API server does not check an unchanged part.
// Cost: the rules fit the cost limits of API servers from Kubernetes 1.30 on because lists have limits.
// Errors: none.
// Source: the markers in pkg/api; Porch's API group config.porch.kpt.dev.
package crds

import "embed"

//go:generate go tool controller-gen crd paths=../../../pkg/api/porchconfig/... paths=../../../pkg/api/waybill paths=../../../pkg/api/midonet output:crd:dir=.
//go:generate rm waybill.dev_backendplans.yaml waybill.dev_hookrecordings.yaml waybill.dev_maprequests.yaml waybill.dev_relatedresources.yaml

// Files are the definitions, one file for each kind.
//
//go:embed *.yaml
var Files embed.FS
