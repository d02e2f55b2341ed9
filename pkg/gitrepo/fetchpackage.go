package gitrepo

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/gitrepo/transport"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// Fetched is a package read from a repository.
type Fetched struct {
	Resolved
	Tree    pkgtree.Tree
	DirID   Hash      // the Git tree that Tree was read from
	LeftOut []LeftOut // what a package cannot hold, in path order
	// Executable are the files that are executable in Git, sorted. The caller sets that bit when it writes the package into a
	// directory.
	Executable []string
	Cached     bool // its objects came from the cache
	// Digest names what was fetched if it comes from a registry; Commit is zero then.
	Digest string
}

// Version is what a lock names: the id of the commit, or the digest of the artifact.
func (f *Fetched) Version() string {
	if f.Digest != "" {
		return f.Digest
	}
	return f.Commit.String()
}

// LeftOut is an entry of a Git tree that is not part of the package, as in kpt.
type LeftOut struct {
	Path string // within the package
	Kind string // "symbolic link", "submodule", or "temporary file" (or "folder") "of an interrupted write"
}

// FetchPackage reads the package in dir at ref of the repository at url: one commit without history, and only if it is
// missing from the cache of opts. It resolves ref at the repository each time, unless ref is a commit id. An invalid name
// is a *RefNameError, a missing ref a *RefError, a missing directory a *DirError.
func FetchPackage(ctx context.Context, url, dir, ref string, opts Options) (*Fetched, error) {
	q, err := newQuery(url, dir, ref, opts)
	if err != nil {
		return nil, err
	}
	if id, err := ParseHash(q.ref); err == nil {
		return q.locked(ctx, id, "")
	}
	for attempt := 1; ; attempt++ {
		f, err := q.latest(ctx)
		// A branch moved between the list of refs and the request for objects: ask again.
		if err == nil || attempt == 3 || !refusesWant(err) {
			return f, err
		}
	}
}

// latest reads the package at the current commit of the ref.
func (q *query) latest(ctx context.Context) (*Fetched, error) {
	var r Resolved
	var got objectMap
	var known *Fetched
	var unfit error // what is wrong with the ref or the package, and not with the conversation
	err := q.remote.Read(ctx, func(ctx context.Context, s *transport.Session) (err error) {
		if r, unfit = q.resolve(s.Refs); unfit == nil {
			known, unfit = q.fromCache(r)
		}
		if known != nil || unfit != nil {
			return nil
		}
		got, err = q.fetch(ctx, s, true, []Hash{r.target})
		return err
	})
	if err != nil || known != nil || unfit != nil {
		return known, cmp.Or(err, unfit)
	}
	return q.take(r, got)
}

// take reads the package from the received objects and stores them in the cache.
func (q *query) take(r Resolved, got objectMap) (*Fetched, error) {
	asked := r.Commit
	f, err := q.read(r, got)
	if err == nil {
		q.keep(asked, got)
	}
	return f, err
}

// FetchLocked reads the package in dir at a recorded commit. A cached commit needs no connection. ref, which may be
// empty, is the ref that led to the commit: servers that send no commit by its id may have it in the history of that
// ref. A commit that the repository no longer has is a *GoneError.
func FetchLocked(ctx context.Context, url, dir, ref string, commit Hash, opts Options) (*Fetched, error) {
	if checkRefName(ref) != nil { // the ref of a lock that a user edited only helps with the search
		ref = ""
	}
	q, err := newQuery(url, dir, ref, opts)
	if err != nil {
		return nil, err
	}
	return q.locked(ctx, commit, ref)
}

// query is the request for one package of a repository.
type query struct {
	remote *transport.Remote
	dir    string
	ref    string
	opts   Options
}

func newQuery(url, dir, ref string, opts Options) (*query, error) {
	if err := checkRefName(ref); ref != "" && err != nil {
		return nil, err
	}
	clean, err := checkDir(dir)
	if err != nil {
		return nil, err
	}
	if id, err := ParseHash(strings.ToLower(ref)); err == nil { // users copy ids in any case
		ref = id.String()
	}
	opts.Bounds, opts.Limits = opts.Bounds.WithDefaults(), withDefaults(opts.Limits)
	remote, err := transport.New(url, opts.transport())
	return &query{remote: remote, dir: clean, ref: ref, opts: opts}, err
}

// read returns the package of the objects of its commit. r.Commit may be the id of a tag, as in locks written
// by kpt.
func (q *query) read(r Resolved, from objects) (*Fetched, error) {
	fail := func(err error) (*Fetched, error) {
		return nil, fmt.Errorf("repository %q: %w", q.remote.URL(), err)
	}
	commit, err := peel(from, r.Commit)
	if err == nil && commit.IsZero() {
		err = fmt.Errorf("%s is not a commit", r.Commit)
	}
	if err != nil {
		return fail(err)
	}
	r.Commit = commit
	c, err := decodeCommit(from, r.Commit)
	if err != nil {
		return fail(err)
	}
	f := &Fetched{Resolved: r}
	if f.DirID, err = descend(from, c.Tree, q.dir); err != nil {
		return fail(err)
	}
	if f.DirID.IsZero() {
		return nil, &DirError{Commit: r.Commit, Dir: q.dir}
	}
	rd := reader{from: from, blob: blobs(from), limits: q.opts.Limits, files: map[string]*pkgtree.Blob{}}
	rd.leave = func(l LeftOut) { f.LeftOut = append(f.LeftOut, l) }
	rd.program = func(at string) { f.Executable = append(f.Executable, at) }
	if err := rd.walk(f.DirID, "", 0); err != nil {
		return fail(fmt.Errorf("package %q at %s: %w", q.dir, r.Commit, err))
	}
	slices.Sort(f.Executable)
	f.Tree, err = pkgtree.FromBlobs(rd.files)
	return f, err
}
