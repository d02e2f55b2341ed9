// Package lock pins the Helm charts that RenderHelmChart configs name, and keeps their archives in the package.
//
// Shape: a package in, the package with lock objects and archives out, and a line for each chart. The lock of config
// app.yaml is app.lock.yaml beside it: a HelmChartLock, local to the package, with the exact version and digest of each chart.
// Archives lie in chartHome, from the folder of the config.
// Cost: without something to fetch, one read of the configs and one digest of each archive.
// Errors: *krm.ParseError, or a text that names file, chart and what to do. An archive whose digest is not the one in the lock is
// an error, never a change.
// Source: ours; the fields of RenderHelmChart are those of kpt's catalogue.
package lock
