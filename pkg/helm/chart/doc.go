// Package chart renders Helm charts: what "helm template" prints, without a cluster, a network, a clock or files.
//
// Shape: Archive and Folder read the files of a chart, Load makes a Chart of them, and Chart.Render gives the manifests of one
// release, in Helm's order. A Chart is parsed once and rendered many times, also at the same time.
// Locked says which archive or folder a config renders.
// Cost: reading is bounded by the constants of this package (bytes, files, charts in charts); rendering copies the values, and is
// bounded by the engine.
// Errors: what failed names the chart and its file, and the line where there is one. Values, which may be secret, are in no error.
// Source: the behaviour of Helm 4.3.1; Chart.yaml and .helmignore are read by Helm's own library (v3.22.0; see
// docs/decisions/0023). Values, dependencies and order are Helm's rules in code of our own, as Helm's packages for them link every
// kind of Kubernetes; tests compare the result with Helm's.
package chart
