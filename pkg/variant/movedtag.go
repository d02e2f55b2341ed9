package variant

// AcceptDigestAnnotation of a PackageVariant names the digest to which the tag of its upstream was moved in a registry. The variant
// takes that as an upgrade; without it a moved tag blocks the variant.
const AcceptDigestAnnotation = "waybill.dev/accept-digest"

// moved returns the first target that was made of the tag that the upstream in a registry has, when that named another artifact.
// Revisions do not change once they are published: such a tag was replaced by mistake, or by somebody who must not do that.
func (s *situation) moved() *Revision {
	now := normalLock(s.upstream.Self)
	if !inRegistry(now) || s.pv.Annotations[AcceptDigestAnnotation] == now.Commit {
		return nil
	}
	for i := range s.targets {
		if s.targets[i].Lock == nil {
			continue
		}
		was := normalLock(*s.targets[i].Lock)
		if isAt(was, s.upstream) && was.Commit != "" && now.Commit != "" && was.Commit != now.Commit {
			return &s.targets[i]
		}
	}
	return nil
}

func movedTag(s *situation) *Plan {
	r := s.moved()
	if r == nil {
		return nil
	}
	now := s.upstream.Self
	return s.plan(Blocked, "tag %q of %s was moved: %q was made of %s, and the tag names %s now; a published revision must not change: "+
		"publish the new files under a new number, push the old ones again, or accept the new ones by the annotation %s: %s",
		now.Ref, now.Repo, r.Name, r.Lock.Commit, now.Commit, AcceptDigestAnnotation, now.Commit)
}
