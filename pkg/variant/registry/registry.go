// Package registry shows the packages in an OCI registry as package revisions, to clone and to upgrade from.
//
// Shape: Open reads what a Repository object of type oci names, as a snapshot.Store. Packages are the repositories below the object's
// address; a tag v1, v2 and so on is the revision of that number. Other tags have no number, and those of signatures are left out. A
// Store writes nothing: what would be a draft or an approval is refused.
// Cost: a refresh is a request for each page of the registry's catalogue, one for the tags of each package, and one for each numbered tag
// that is new; those that are known are asked for again, some of them at a time. Files are read when they are asked for, by digest; the
// last ones stay in memory.
// Errors: one line that names the registry or artifact. A refresh that fails, or finds nothing, leaves the Store as it was.
// Source: the OCI Distribution Specification 1.1; Porch's package revisions.
package registry

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/oci"
	"github.com/waybill-dev/waybill/pkg/revision"
	"github.com/waybill-dev/waybill/pkg/variant/snapshot"
)

// Options say how a registry is read.
type Options struct {
	Client oci.Options
	Limits Limits
	// Context, when set, ends the reads of files, which then fail. It must last as long as the Store is used.
	Context context.Context
}

// Limits bound what is read and kept. A zero field means its default.
type Limits struct {
	Packages  int           // most packages; default 5000
	Revisions int           // most numbered tags of all packages; default 50,000
	Checks    int           // most known tags that a refresh asks for again, the longest unasked first; default 200
	Memory    int64         // most bytes of the packages in memory; default 64 MiB
	Timeout   time.Duration // for the files of one package; default 2 minutes
}

func (l Limits) withDefaults() Limits {
	return Limits{
		Packages: cmp.Or(l.Packages, 5000), Revisions: cmp.Or(l.Revisions, 50_000), Checks: cmp.Or(l.Checks, 200),
		Memory: cmp.Or(l.Memory, 64<<20), Timeout: cmp.Or(l.Timeout, 2*time.Minute),
	}
}

// Store is the packages of one Repository object. Its methods may be called concurrently.
type Store struct {
	name     string        // of the Repository object
	at       oci.Reference // its address; Repository may be ""
	packages []string      // that the object names; nil for those of the registry's catalogue
	client   *oci.Client
	limits   Limits
	reading  context.Context // of reads of files
	trees    trees
	pulls    singleflight.Group // many variants are made of one artifact

	refreshing sync.Mutex

	mu    sync.Mutex // guards the fields below
	round int        // of refreshes
	shown map[string]map[string]tag
}

var (
	_ snapshot.Store      = (*Store)(nil)
	_ revision.Repository = (*Store)(nil)
)

// Open opens the registry of a valid Repository object of type oci.
func Open(ctx context.Context, obj *porchconfig.Repository, o Options) (*snapshot.Repository, error) {
	at, err := Address(obj)
	if err != nil {
		return nil, err
	}
	packages, err := named(obj)
	if err != nil {
		return nil, err
	}
	o.Client.Limits.Bytes = cmp.Or(o.Client.Limits.Bytes, maxPulled)
	if secret := SecretName(obj); secret != "" {
		o.Client.Advice = fmt.Sprintf("check the Secret %q", secret)
	}
	client, err := oci.New(o.Client)
	if err != nil {
		return nil, err
	}
	s := &Store{name: obj.Name, at: at, packages: packages, client: client, limits: o.Limits.withDefaults(),
		reading: cmp.Or(o.Context, context.Background())}
	s.trees.most = s.limits.Memory
	if err := s.Refresh(ctx); err != nil {
		return nil, err
	}
	return &snapshot.Repository{
		Store: s, ForUsers: s, Written: s.URL(), Address: oci.Scheme + at.Registry, Directory: at.Repository, Deployment: obj.Spec.Deployment,
		NoDrafts: fmt.Sprintf("Repository %q is an OCI registry, %s", obj.Name, noDrafts),
	}, nil
}

// Validate says what is wrong with a Repository object of type oci.
func Validate(obj *porchconfig.Repository) error {
	if err := obj.Validate(); err != nil {
		return err
	}
	if _, err := Address(obj); err != nil {
		return err
	}
	_, err := named(obj)
	return err
}

// Address is the address that a Repository object of type oci gives, with or without oci://. Its Repository is "" for a whole registry.
func Address(obj *porchconfig.Repository) (oci.Reference, error) {
	text := strings.TrimRight(strings.TrimPrefix(obj.Spec.OCI.Registry, oci.Scheme), "/")
	if strings.ContainsAny(text, "@?#") { // what is before the @ may be a password
		return oci.Reference{}, errors.New("spec.oci.registry: want HOST or HOST/PATH, without credentials or a digest; " +
			"name a Secret by secretRef")
	}
	if at, err := oci.ParseReference(oci.Scheme + text); err == nil && at.Tag+at.Digest != "" {
		return oci.Reference{}, fmt.Errorf("spec.oci.registry %q: want HOST or HOST/PATH, without a tag or digest", text)
	}
	at, err := oci.ParseReference(oci.Scheme + text + "/x") // as that of a package: Docker Hub has other names for paths of one part
	if err != nil {
		if cause := errors.Unwrap(err); cause != nil {
			err = cause // it does not repeat the text with the /x
		}
		return oci.Reference{}, fmt.Errorf("spec.oci.registry %q: want HOST or HOST/PATH: %w", text, err)
	}
	at.Repository = strings.TrimSuffix(at.Repository, "/x")
	if !strings.Contains(text, "/") {
		at.Repository = ""
	}
	return at, nil
}

// of is the repository of a package.
func (s *Store) of(pkg string) oci.Reference {
	return oci.Reference{Registry: s.at.Registry, Repository: s.prefix() + pkg}
}

// prefix begins the names of all repositories of packages.
func (s *Store) prefix() string {
	if s.at.Repository == "" {
		return ""
	}
	return s.at.Repository + "/"
}

// URL is the address of the Repository object.
func (s *Store) URL() string { return strings.TrimRight(s.at.URL(), "/") }
