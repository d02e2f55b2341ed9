package revision

import (
	"encoding/json"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// HydratorFile is the file at the root of a branch by which tools that promote from branch to branch, such as GitOps
// Promoter, learn which commit the branch was rendered from.
const HydratorFile = "hydrator.metadata"

// hydratorMetadata is what such a file says, in the words of those tools.
type hydratorMetadata struct {
	DrySHA  string `json:"drySha"`
	RepoURL string `json:"repoURL,omitempty"`
}

// hydrated is root with a HydratorFile that names the commit of the upstream that rev was made of. A package of
// nobody's making has none, and says nothing.
func (b *bundle) hydrated(root gitrepo.Hash, rev Revision) (gitrepo.Hash, error) {
	if !b.store.cfg.HydratorMetadata {
		return root, nil
	}
	lock := b.store.upstreamLock(rev)
	if lock.Commit == "" {
		return root, nil
	}
	data, err := json.MarshalIndent(hydratorMetadata{DrySHA: lock.Commit, RepoURL: lock.Repo}, "", "  ")
	if err != nil {
		return root, err
	}
	return b.stage.PutFile(root, HydratorFile, pkgtree.NewBlob(append(data, '\n')))
}
