// Package chart holds the Helm chart that installs the controller; there is no code here but tests.
//
// Shape: files has copies of what controllers/manifests has, which the templates read: definitions of kinds, and roles. With the default
// values the chart has the objects of the kustomization, and each switch those of a component; tests compare them.
// Cost: a release is one Secret of some 200 KiB in its namespace.
// Errors: Helm refuses values that the schema does not know, and the templates those that contradict each other.
// Source: Helm documentation: charts, schema files, resource policies.
package chart

//go:generate sh -c "cp ../manifests/crds/*.yaml files/crds"
//go:generate cp ../manifests/rbac.yaml ../manifests/people.yaml files
//go:generate cp ../manifests/porch/notify/rbac.yaml files/notify.yaml
//go:generate cp ../manifests/combinedstatus/rbac.yaml files/status.yaml
//go:generate cp ../manifests/translation/rbac.yaml files/push.yaml
//go:generate cp ../manifests/mapcontroller/rbac.yaml files/map.yaml
//go:generate cp ../manifests/publishedresource/rbac.yaml files/sync.yaml
