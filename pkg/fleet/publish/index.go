package publish

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/lazyregexp"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// Kind is the kind of an Index.
const Kind = "PublishedFleet"

// indexFile is the file of the index in its artifact.
const indexFile = "index.json"

// Index lists the artifacts of a revision. It is an artifact itself, at the prefix.
type Index struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Revision   string `json:"revision"` // the tag of the revision
	Commit     string `json:"commit"`
	Number     int    `json:"number,omitempty"` // of commits on the branch until then; a shallow clone has fewer
	Source     string `json:"source,omitempty"` // URL of the repository
	Path       string `json:"path,omitempty"`   // of the folder in the repository
	By         string `json:"by"`
	Content    string `json:"content"`
	// Artifacts are sorted by name.
	Artifacts []Entry `json:"artifacts"`
	// Gone are earlier artifacts whose clusters the revision does not have. The registry still has them.
	Gone []Entry `json:"gone,omitempty"`
	// Moving names the artifacts whose tags may still name other contents; only while a run is not finished.
	Moving []string `json:"moving,omitempty"`
}

// Entry is one artifact.
type Entry struct {
	Name     string   `json:"name"`
	Digest   string   `json:"digest"`             // of the manifest
	Files    string   `json:"files"`              // SHA-256 of the files: compressed bytes may differ between versions of Waybill
	Clusters []string `json:"clusters,omitempty"` // of a group
}

// entry is the artifact of a name; nil if the index has none.
func (x *Index) entry(name string) *Entry {
	if x == nil {
		return nil
	}
	i, found := slices.BinarySearchFunc(x.Artifacts, name, func(e Entry, name string) int { return cmp.Compare(e.Name, name) })
	if !found {
		return nil
	}
	return &x.Artifacts[i]
}

// tree is the index as an artifact.
func (x *Index) tree() (pkgtree.Tree, error) {
	data, err := json.MarshalIndent(x, "", " ")
	if err != nil {
		return pkgtree.Tree{}, err
	}
	return pkgtree.New(map[string][]byte{indexFile: append(data, '\n')})
}

var (
	sha256Digest = lazyregexp.New(`^sha256:[0-9a-f]{64}$`)
	commitID     = lazyregexp.New(`^[0-9a-f]{40}([0-9a-f]{24})?$`)
)

// readIndex reads an index from its artifact. Another writer of the registry may have changed it.
func readIndex(files pkgtree.Tree) (*Index, error) {
	data, ok := files.Get(indexFile)
	if !ok {
		return nil, fmt.Errorf("the artifact there is not an index of Waybill (it has no %s): publish to another prefix", indexFile)
	}
	x := &Index{}
	if err := json.Unmarshal(data, x); err != nil {
		return nil, fmt.Errorf("%s: %w", indexFile, err)
	}
	if x.APIVersion != waybill.APIVersion || x.Kind != Kind {
		return nil, fmt.Errorf("%s: want %s %s, got %q %q", indexFile, waybill.APIVersion, Kind, x.APIVersion, x.Kind)
	}
	return x, x.check()
}

func (x *Index) check() error {
	if !commitID.MatchString(x.Commit) {
		return fmt.Errorf("%s: commit: want an id in hex, got %q", indexFile, x.Commit)
	}
	for _, e := range slices.Concat(x.Artifacts, x.Gone) {
		if !component.MatchString(e.Name) || !sha256Digest.MatchString(e.Digest) {
			return fmt.Errorf("%s: artifact %q has a wrong name, or a wrong digest: %q", indexFile, e.Name, e.Digest)
		}
	}
	if !slices.IsSortedFunc(x.Artifacts, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) }) {
		return fmt.Errorf("%s: artifacts are not sorted by name", indexFile)
	}
	return nil
}

// sum identifies files by their paths and bytes.
func sum(files pkgtree.Tree) string {
	h := sha256.New()
	for p, b := range files.All() {
		fmt.Fprintf(h, "%d %s %x\n", len(p), p, sha256.Sum256(b.Data()))
	}
	return hex.EncodeToString(h.Sum(nil))
}
