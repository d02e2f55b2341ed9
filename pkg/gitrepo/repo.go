// Package gitrepo reads and writes bare Git repositories, by plumbing only and never through a work tree. It is the only
// package, with those below it, that knows Git: pack reads and writes packs, transport talks to servers, auth finds
// credentials and keys.
//
// Shape: Open reads the heads and tags of a remote into memory. A Repo answers from that view until Refresh
// reads a new one: refs, commits, directories of commits as pkgtree.Trees. To write, begin a Stage on the view
// for new trees and commits; Push sends the objects missing from the remote and moves refs, all or none, each
// only from the expected value. FetchPackage reads one package without its history, and FetchLocked one at a
// recorded commit; with a Cache neither transfers a commit twice.
// Cost: memory is the remote's objects, unpacked, except blobs of more than 16 KiB, and what is nearly another object; of
// servers that can filter, those of the newest commits, and of others on demand. A Refresh transfers what is new; a push encodes
// and sends, as deltas, only objects that no ref of the view reached. (Objects of refs deleted since Open
// count as reached: if the server has deleted them meanwhile, it rejects the push whole,
// and to open the repository again helps.) FetchPackage transfers and holds one commit, all
// directories of it, where the server can do that, and else its history; from the cache it reads the
// package's own files. Bounds hold for all that comes from a remote, while it comes.
// Trust: none in a remote. The ids of objects are computed here; only the cache is written, under names made
// here; credentials are sent only to their host. The user's own git serves repositories of this machine,
// without the variables of a repository that runs this process as a hook. Clocks only time connections and
// age the cache: the same content, parents, names and times give the same ids.
// Errors: *NotFoundError, *AuthError, *UnreachableError for the remote, *PackError with a *BoundsError inside
// for its pack, *StaleError and *RejectedError for a push, *RefError, *RefNameError, *GoneError and *DirError
// for missing commits and directories. None contains a secret.
// Source: Git documentation, gitprotocol-pack and gitformat-pack; for refs, the behaviour of kpt 1.0.0-beta.56.
package gitrepo

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"weak"

	"github.com/waybill-dev/waybill/pkg/gitrepo/pack"
	"github.com/waybill-dev/waybill/pkg/gitrepo/transport"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// Step is a completed step of an operation.
type Step string

// The steps, in the order in which they happen.
const (
	StepFetched  Step = "fetched"  // the view is the state of the remote
	StepVerified Step = "verified" // the refs of the remote have the expected values
	StepPacked   Step = "packed"   // the new objects are encoded
	StepSent     Step = "sent"     // refs and pack are written to the connection
	StepAccepted Step = "accepted" // the server reported that all refs moved
	StepViewed   Step = "viewed"   // the view contains the push
)

// Repo is a view of one remote repository. It may be used by many goroutines at once.
type Repo struct {
	remote     *transport.Remote
	limits     pkgtree.Limits
	onStep     func(Step)
	remoteLock chan struct{}   // held during each conversation with the remote
	reading    context.Context // of requests that reads make

	mu        sync.RWMutex
	store     map[Hash]*pack.Object
	refs      map[string]Hash
	blobs     map[Hash]*pkgtree.Blob              // shared by all Trees read from here; without those of compressed objects
	shared    map[Hash]weak.Pointer[pkgtree.Blob] // of compressed objects, as long as a Tree has them
	rehearsal bool
	partial   bool          // of some commits the trees are not here: see partial.go
	missed    int           // how many of them were fetched one by one
	gone      map[Hash]bool // those that the server did not have, since the refs last changed
	// unfiltered: the server says that it can filter, and then refuses it, as one whose operator forbids some filters.
	unfiltered bool
	memory     *pack.MemoryUse // the memory that store takes
}

// Open fetches all heads and tags of the repository at url: a path, a file, http, https or ssh URL, or
// SSH's short form, user@host:path.
// An empty repository is fine.
func Open(ctx context.Context, url string, opts Options) (*Repo, error) {
	remote, err := transport.New(url, opts.transport())
	if err != nil {
		return nil, err
	}
	r := &Repo{
		remote: remote, limits: withDefaults(opts.Limits), onStep: opts.OnStep, remoteLock: make(chan struct{}, 1),
		reading: cmp.Or(opts.Context, context.Background()), gone: map[Hash]bool{},
		store: map[Hash]*pack.Object{}, refs: map[string]Hash{}, blobs: map[Hash]*pkgtree.Blob{},
		shared: map[Hash]weak.Pointer[pkgtree.Blob]{},
	}
	r.memory = pack.NewMemoryUse(r)
	return r, r.Refresh(ctx)
}

// URL names the repository, without password, and without user unless it is reached by SSH.
func (r *Repo) URL() string { return r.remote.URL() }

func (r *Repo) step(s Step) {
	if r.onStep != nil {
		r.onStep(s)
	}
}

// lockRemote waits until no other conversation is running. The caller must call release after its own.
func (r *Repo) lockRemote(ctx context.Context) (release func(), err error) {
	select {
	case r.remoteLock <- struct{}{}:
		return func() { <-r.remoteLock }, nil
	case <-ctx.Done():
		return nil, &UnreachableError{URL: r.URL(), Err: ctx.Err()}
	}
}

// Ref is a branch or tag.
type Ref struct {
	Name   string // in full: refs/heads/main
	Target Hash   // the value of the ref: for an annotated tag, the tag object
	Commit Hash   // Target peeled; zero for a tag of something other than a commit
}

// Short is the name without refs/heads/ or refs/tags/.
func (r Ref) Short() string {
	if s, ok := strings.CutPrefix(r.Name, "refs/heads/"); ok {
		return s
	}
	return strings.TrimPrefix(r.Name, "refs/tags/")
}

// Refs returns every branch and tag of the view, sorted by name.
func (r *Repo) Refs() []Ref {
	r.mu.RLock()
	refs := maps.Clone(r.refs)
	r.mu.RUnlock()
	out := make([]Ref, 0, len(refs))
	for _, name := range slices.Sorted(maps.Keys(refs)) {
		out = append(out, Ref{Name: name, Target: refs[name], Commit: r.peel(refs[name])})
	}
	return out
}

// Ref returns the ref of that full name.
func (r *Repo) Ref(name string) (Ref, bool) {
	r.mu.RLock()
	id, ok := r.refs[name]
	r.mu.RUnlock()
	if !ok {
		return Ref{}, false
	}
	return Ref{Name: name, Target: id, Commit: r.peel(id)}, true
}

// Resolve returns the commit of name, the first that exists of: a full ref, a tag, a branch, a full commit id.
// If none does, the error is a *RefError.
func (r *Repo) Resolve(name string) (Hash, error) {
	for _, full := range []string{name, "refs/tags/" + name, "refs/heads/" + name} {
		if ref, ok := r.Ref(full); ok && !ref.Commit.IsZero() {
			return ref.Commit, nil
		}
	}
	if id, err := ParseHash(name); err == nil && id == r.peel(id) {
		return id, nil
	}
	return Hash{}, &RefError{URL: r.URL(), Name: name}
}
