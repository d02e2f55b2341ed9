package waybill

import (
	"cmp"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Versions are the names of the published versions; nil means all.
func (p *PublishedResource) Versions() []string {
	switch {
	case len(p.Spec.Resource.Versions) > 0:
		return p.Spec.Resource.Versions
	case p.Spec.Resource.Version != "":
		return []string{p.Spec.Resource.Version}
	}
	return nil
}

// Moves reports whether objects are synchronized; false means that only their type is published.
func (p *PublishedResource) Moves() bool {
	return p.Spec.Synchronization == nil || p.Spec.Synchronization.Enabled
}

// SyncsBack reports whether the status of copies is written to their sources. It is by default.
func (p *PublishedResource) SyncsBack() bool { return p.Spec.StatusBack == nil || *p.Spec.StatusBack }

// Complete reports whether a source that is missing from the view counts as deleted.
func (p *PublishedResource) Complete() bool { return p.Spec.View == ViewComplete }

// Adoption is AdoptionPolicy, or its default.
func (p *PublishedResource) Adoption() string { return cmp.Or(p.Spec.AdoptionPolicy, AdoptConverge) }

// Corrects reports whether a field that another client changed in a copy is set back.
func (p *PublishedResource) Corrects() bool { return p.Spec.DriftPolicy == DriftCorrect }

// MaxDeletions is the limit as text, "" if there is none.
func (p *PublishedResource) MaxDeletions() string {
	if p.Spec.MaxDeletions == nil {
		return ""
	}
	return p.Spec.MaxDeletions.String()
}

// DeletesExcluded reports whether the copy of a source that the filter excludes is deleted. A nil filter excludes nothing.
func (f *PublishedFilter) DeletesExcluded() bool { return f != nil && f.OnExclude == ExcludeDelete }

// FromSource reports whether the originals are at the source, and their copies at the destination.
func (r *PublishedRelated) FromSource() bool { return r.Origin == OriginKCP }

// Policy is CleanupPolicy, or its default: CleanupOrphan, CleanupOnPrimaryDeletion or CleanupMatchOrigin.
func (r *PublishedRelated) Policy() string {
	switch {
	case r.CleanupPolicy != "":
		return r.CleanupPolicy
	case r.FromSource():
		return CleanupMatchOrigin // with any Cleanup
	case r.Cleanup != nil && !*r.Cleanup:
		return CleanupOrphan
	}
	return CleanupOnPrimaryDeletion
}

// Adoption is AdoptionPolicy, or its default.
func (r *PublishedRelated) Adoption() string { return cmp.Or(r.AdoptionPolicy, AdoptNever) }

// OriginType is the type of the originals. It replaces the deprecated kind.
func (r *PublishedRelated) OriginType() schema.GroupVersionResource {
	switch r.Kind {
	case "ConfigMap":
		return schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}
	case "Secret":
		return schema.GroupVersionResource{Version: "v1", Resource: "secrets"}
	}
	return schema.GroupVersionResource{Group: r.Group, Version: r.Version, Resource: r.Resource}
}

// CopyType is the type of the copies.
func (r *PublishedRelated) CopyType() schema.GroupVersionResource {
	t := r.OriginType()
	if p := r.Projection; p != nil {
		t.Group, t.Version, t.Resource = cmp.Or(p.Group, t.Group), cmp.Or(p.Version, t.Version), cmp.Or(p.Resource, t.Resource)
	}
	return t
}

// RemoteType is the type at the source, where consumers see the objects.
func (r *PublishedRelated) RemoteType() schema.GroupVersionResource {
	if r.FromSource() {
		return r.OriginType()
	}
	return r.CopyType()
}

// LocalType is the type at the destination.
func (r *PublishedRelated) LocalType() schema.GroupVersionResource {
	if r.FromSource() {
		return r.CopyType()
	}
	return r.OriginType()
}

// IsTemplate reports whether text of a PublishedResource that may be a template is one.
func IsTemplate(text string) bool { return strings.Contains(text, "{{") }
