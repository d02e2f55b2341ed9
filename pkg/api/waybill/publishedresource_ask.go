package waybill

import "k8s.io/apimachinery/pkg/runtime/schema"

// Versions are the names of the versions that are offered; nil means all.
func (p *PublishedResource) Versions() []string {
	switch {
	case len(p.Spec.Resource.Versions) > 0:
		return p.Spec.Resource.Versions
	case p.Spec.Resource.Version != "":
		return []string{p.Spec.Resource.Version}
	}
	return nil
}

// Moves reports whether objects are moved at all, and not just their type published.
func (p *PublishedResource) Moves() bool {
	return p.Spec.Synchronization == nil || p.Spec.Synchronization.Enabled
}

// SyncsBack reports whether the status of copies is written to their sources.
func (p *PublishedResource) SyncsBack() bool { return p.Spec.StatusBack == nil || *p.Spec.StatusBack }

// Complete reports whether a source that is not seen is gone.
func (p *PublishedResource) Complete() bool { return p.Spec.View == ViewComplete }

// Adoption is AdoptionPolicy, or its default.
func (p *PublishedResource) Adoption() string { return or(p.Spec.AdoptionPolicy, AdoptConverge) }

// Corrects reports whether fields that somebody changed in a copy are put right.
func (p *PublishedResource) Corrects() bool { return p.Spec.DriftPolicy == DriftCorrect }

// MaxDeletions is the limit as text, "" if there is none.
func (p *PublishedResource) MaxDeletions() string {
	if p.Spec.MaxDeletions == nil {
		return ""
	}
	return p.Spec.MaxDeletions.String()
}

// DeletesExcluded reports whether the copy of a source that the filter lets go goes, too. A nil filter excludes nothing.
func (f *PublishedFilter) DeletesExcluded() bool { return f != nil && f.OnExclude == ExcludeDelete }

// FromSource reports whether the objects are written at the source: their copies are at the destination.
func (r *PublishedRelated) FromSource() bool { return r.Origin == OriginKCP }

// Policy is the CleanupPolicy that counts: CleanupOrphan, CleanupOnPrimaryDeletion or CleanupMatchOrigin.
func (r *PublishedRelated) Policy() string {
	switch {
	case r.CleanupPolicy != "":
		return r.CleanupPolicy
	case r.FromSource():
		return CleanupMatchOrigin // whatever Cleanup says
	case r.Cleanup != nil && !*r.Cleanup:
		return CleanupOrphan
	}
	return CleanupOnPrimaryDeletion
}

// Adoption is AdoptionPolicy, or its default.
func (r *PublishedRelated) Adoption() string { return or(r.AdoptionPolicy, AdoptNever) }

// OriginType is the type of the objects where they are written. It spells the deprecated kind out.
func (r *PublishedRelated) OriginType() schema.GroupVersionResource {
	switch r.Kind {
	case "ConfigMap":
		return schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}
	case "Secret":
		return schema.GroupVersionResource{Version: "v1", Resource: "secrets"}
	}
	return schema.GroupVersionResource{Group: r.Group, Version: r.Version, Resource: r.Resource}
}

// CopyType is the type of the objects on the other side.
func (r *PublishedRelated) CopyType() schema.GroupVersionResource {
	t := r.OriginType()
	if p := r.Projection; p != nil {
		t.Group, t.Version, t.Resource = or(p.Group, t.Group), or(p.Version, t.Version), or(p.Resource, t.Resource)
	}
	return t
}

// RemoteType is the type of the objects at the source, which is where consumers see them.
func (r *PublishedRelated) RemoteType() schema.GroupVersionResource {
	if r.FromSource() {
		return r.OriginType()
	}
	return r.CopyType()
}

// LocalType is the type of the objects at the destination.
func (r *PublishedRelated) LocalType() schema.GroupVersionResource {
	if r.FromSource() {
		return r.CopyType()
	}
	return r.OriginType()
}

// or is text, or what stands for it when it is empty.
func or(text, instead string) string {
	if text == "" {
		return instead
	}
	return text
}
