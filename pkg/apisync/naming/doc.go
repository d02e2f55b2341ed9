// Package naming names the copies of objects.
//
// Shape: New compiles spec.naming of a PublishedResource to a Naming; Name gives namespace and name for a Source. Both
// are templates (package text) over .Object, .ClusterName and .ClusterPath, or, without "{{", texts with the old
// placeholders $remoteClusterName, $remoteNamespaceHash, $remoteNamespace, $remoteNameHash and $remoteName. A Naming is
// safe for concurrent use. Name is called once for each copy, which keeps its name.
//
// An object without a namespace has the hash of "" as its namespace hash, so that the default works for it, too. Where
// copies have no namespace, the namespace template is still executed: its result is ignored, its errors are not.
// Cost: some microseconds for a name.
// Errors: New returns faults below spec.naming; errors of Name name the template, and never a value. A result with a
// missing value is an error, and so is one that is no DNS subdomain, or no label for a namespace.
// Source: the publishing guide of kcp's api-syncagent, "(Re-)Naming"; RFC 1123.
package naming
