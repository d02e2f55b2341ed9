// Package gitrepo reads and writes bare Git repositories, by plumbing only and never through a work tree. It is the only
// package, with those below it, that knows Git: pack reads and writes packs, transport talks to servers, auth finds
// credentials and keys.
//
// Shape: Open takes a remote's heads and tags into memory. A Repo answers from that view, until
// Refresh takes a new one: refs, commits, directories of commits as pkgtree.Trees. Writing begins
// a Stage on the view, which holds new trees and commits; Push sends what the remote lacks and
// moves refs, all or none, each only from the value that is expected. FetchPackage takes one package without its
// history, and FetchLocked one at a commit that was taken before; with a Cache neither transfers a commit twice.
// Cost: memory is the remote's objects, unpacked but for blobs of more than 1 MiB; a Refresh transfers what is new; a push encodes
// and sends only objects that no ref of the view reached. (Objects of refs deleted since Open
// count as reached: if the server has deleted them meanwhile, it rejects the push whole,
// and to open the repository again helps.) FetchPackage transfers and holds one commit, all
// directories of it, where the server can do that, and else its history; from the cache it reads the
// package's own files. Bounds hold for all that comes from a remote, while it comes.
// Trust: none in a remote. Objects are named by their content, here; nothing is written but to the
// cache, under names made here; credentials stay with the host that they are for.
// Repositories of this machine are served by the user's own git, without the variables that point to the repository that this
// process may be a hook of.
// Nothing here reads a clock, but to time a connection and to age the cache: the same content, parents,
// names and times give the same ids.
// Errors: *NotFoundError, *AuthError, *UnreachableError for the remote, *PackError with a *BoundsError
// in it for what it sends, *StaleError and *RejectedError for a push, *RefError, *RefNameError,
// *GoneError and *DirError for what is not there. None repeats a secret.
// Source: Git documentation, gitprotocol-pack and gitformat-pack; for refs, kpt 1.0.0-beta.56 as it
// behaves.
package gitrepo

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/waybill-dev/waybill/pkg/gitrepo/pack"
	"github.com/waybill-dev/waybill/pkg/gitrepo/transport"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// Step names a point that an operation has passed.
type Step string

// The steps, in the order in which they happen.
const (
	StepFetched  Step = "fetched"  // the view is the remote's state
	StepVerified Step = "verified" // the remote's refs stand where the push expects them
	StepPacked   Step = "packed"   // the new objects are encoded
	StepSent     Step = "sent"     // refs and pack are handed to the connection
	StepAccepted Step = "accepted" // the server reported that all refs moved
	StepViewed   Step = "viewed"   // the view holds what was pushed
)

// Repo is a view of one remote repository. It may be used by many goroutines at once.
type Repo struct {
	remote *transport.Remote
	limits pkgtree.Limits
	onStep func(Step)
	turn   chan struct{} // holds one token: there is one conversation with the remote at a time

	mu        sync.RWMutex
	store     map[Hash]*pack.Object
	refs      map[string]Hash
	blobs     map[Hash]*pkgtree.Blob // shared by all Trees read from here
	rehearsal bool
	holding   *pack.Holding // the memory that store takes
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
		remote: remote, limits: withDefaults(opts.Limits), onStep: opts.OnStep, turn: make(chan struct{}, 1),
		store: map[Hash]*pack.Object{}, refs: map[string]Hash{}, blobs: map[Hash]*pkgtree.Blob{},
	}
	r.holding = pack.NewHolding(r)
	return r, r.Refresh(ctx)
}

// URL names the repository, without password, and without user unless it is reached by SSH.
func (r *Repo) URL() string { return r.remote.URL() }

func (r *Repo) step(s Step) {
	if r.onStep != nil {
		r.onStep(s)
	}
}

// hold waits until no other conversation is under way. The caller calls release when its own has ended.
func (r *Repo) hold(ctx context.Context) (release func(), err error) {
	select {
	case r.turn <- struct{}{}:
		return func() { <-r.turn }, nil
	case <-ctx.Done():
		return nil, &UnreachableError{URL: r.URL(), Err: ctx.Err()}
	}
}

// Ref is a branch or tag.
type Ref struct {
	Name   string // in full: refs/heads/main
	Target Hash   // what the ref holds: for an annotated tag, the tag object
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

// Resolve returns the commit that name stands for: a ref in full, a tag, a branch, or a commit id
// in full, whichever exists first. Otherwise it is a *RefError.
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
