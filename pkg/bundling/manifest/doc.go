// Package manifest is one object as a ManifestWork holds it.
//
// Shape: a YAML node in; out its normal form, its text with gaps for the values of templates, its size as JSON, and whether
// a hub takes it. The normal form keeps the author's order of fields and depends on the data alone.
// Cost: each is one walk over the object. The text is written once; a cluster's values only fill the gaps.
// Errors: what JSON cannot hold, and what the API server of a hub refuses.
// Source: OCM's ManifestWork API and webhook; YAML 1.1 and 1.2.
package manifest
