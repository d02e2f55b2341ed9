// Package naming says what the copy of an object is called.
//
// Shape: New makes a Naming of a PublishedResource's spec.naming, once; Name gives namespace and name for a Source. Both
// are templates (package text) over .Object, .ClusterName and .ClusterPath, or, where they hold no "{{", texts with
// the old placeholders $remoteClusterName, $remoteNamespaceHash, $remoteNamespace, $remoteNameHash and $remoteName. A
// Naming is safe for concurrent use. What is asked for once is not asked for again: whoever has a copy knows its name.
//
// What lives in no namespace has the hash of the empty text for that of its namespace, so that the default serves it,
// too. Where copies live in no namespace, the template of the namespace is filled in all the same, and its result
// does not matter; only that it could not be filled in does.
// Cost: some microseconds for a name.
// Errors: New's are faults below spec.naming; Name's say which template, and never a value. A result that holds a missing
// value is none, nor is one that is no DNS subdomain, or label for a namespace.
// Source: the publishing guide of kcp's api-syncagent, "(Re-)Naming"; RFC 1123.
package naming
