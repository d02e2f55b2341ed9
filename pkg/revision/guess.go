package revision

import (
	"github.com/waybill-dev/waybill/pkg/api/porch"
	commits "github.com/waybill-dev/waybill/pkg/gitrepo/snapshot"
)

// Guess returns the revisions that refs of a repository seem to be, by the names of the refs and the messages of their commits
// alone. It is quick, for proposals to users: it does not see which commits hold a package, nor what the main branch holds.
func Guess(cfg Config, refs []commits.Ref) (out []Revision, err error) {
	s, err := New(nil, cfg)
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for _, ref := range refs {
		names[ref.Name] = true
	}
	for _, ref := range refs {
		rev, ok := s.parse(ref.Name)
		if !ok {
			continue
		}
		if rev.Lifecycle == porch.Published {
			annotation, _ := annotationFor(ref.Message, rev.Path)
			rev.publish(annotation.Workspace, names[rev.deletionRef()])
		}
		rev.Name = ObjectName(rev.Repository, rev.Package, rev.Workspace)
		out = append(out, rev)
	}
	return out, nil
}
