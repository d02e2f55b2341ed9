// Package fetch gets Helm charts from repositories, as archives at an exact version.
//
// Shape: a Request in, an Archive out. An HTTP repository is an index.yaml and archives; an oci:// repository holds Helm's
// chart artifacts, and is read by a Registry that the caller gives. The archive is checked: its digest against that of
// the index or manifest, and name and version in its Chart.yaml against what was asked for.
// Cost: two requests for a chart, one for each further chart of an index. An index and an archive are in memory.
// Trust: servers are not trusted. Answers are bounded in bytes and time, redirects in number; none leads from https to http.
// Credentials go only to the scheme, host and port that the config names, and only over TLS or to this machine.
// Errors: one line each, that names the repository, the chart and what to do.
// Source: Helm's documentation, "The Chart Repository Guide" and "Use OCI-based registries".
package fetch
