package oci

import (
	"errors"
	"fmt"
	"strings"

	"github.com/google/go-containerregistry/pkg/name"

	"github.com/waybill-dev/waybill/pkg/lazyregexp"
)

// Scheme begins the URL of an artifact.
const Scheme = "oci://"

// Reference names an artifact, or a repository if it has neither tag nor digest.
type Reference struct {
	Registry   string // host, and port if there is one
	Repository string // path in the registry
	Tag        string
	Digest     string // sha256:…
}

// IsURL reports whether s has the scheme of artifacts.
func IsURL(s string) bool { return strings.HasPrefix(s, Scheme) }

// ParseReference parses oci://HOST/REPOSITORY[:TAG][@sha256:DIGEST].
func ParseReference(s string) (Reference, error) {
	rest, ok := strings.CutPrefix(s, Scheme)
	switch {
	case !ok:
		return Reference{}, fmt.Errorf("%q: want oci://HOST/REPOSITORY[:TAG][@sha256:DIGEST]", s)
	case hasCredentials(rest): // and no message repeats a password
		return Reference{}, errors.New("the URL holds credentials: want oci://HOST/REPOSITORY; log in with docker or podman")
	}
	rest, digest, hasDigest := strings.Cut(rest, "@")
	rest, tag, hasTag := cutTag(rest)
	repo, err := name.NewRepository(rest, name.StrictValidation)
	if err == nil && !repositoryPath.MatchString(repo.RepositoryStr()) {
		err = errors.New("each part of REPOSITORY has lower-case letters and digits, and between them '.', '_', '__' or '-'")
	}
	if err != nil {
		return Reference{}, fmt.Errorf("%q: want oci://HOST/REPOSITORY[:TAG][@sha256:DIGEST]: %w", s, err)
	}
	r := Reference{Registry: repo.RegistryStr(), Repository: repo.RepositoryStr(), Tag: tag, Digest: digest}
	if hasTag {
		if _, err := name.NewTag(rest+":"+tag, name.StrictValidation); err != nil || tag == "" {
			return Reference{}, fmt.Errorf("%q: %q is no tag: want at most 128 letters, digits, '_', '.' and '-'", s, tag)
		}
	}
	if hasDigest && !IsDigest(digest) {
		return Reference{}, fmt.Errorf("%q: %q is no digest: want sha256: and 64 hex digits", s, digest)
	}
	return r, nil
}

// repositoryPath is the path of a repository, as the Distribution Specification has it.
var repositoryPath = lazyregexp.New(`^[a-z0-9]+((\.|_|__|-+)[a-z0-9]+)*(/[a-z0-9]+((\.|_|__|-+)[a-z0-9]+)*)*$`)

// hasCredentials reports whether there is a user before the host.
func hasCredentials(rest string) bool {
	host, _, _ := strings.Cut(rest, "/")
	return strings.Contains(host, "@")
}

// cutTag cuts REPOSITORY:TAG. A colon before a slash begins a port.
func cutTag(s string) (repo, tag string, ok bool) {
	at := strings.LastIndex(s, ":")
	if at < 0 || strings.Contains(s[at:], "/") {
		return s, "", false
	}
	return s[:at], s[at+1:], true
}

// IsDigest reports whether s is a SHA-256 digest: sha256: and 64 lower-case hex digits.
func IsDigest(s string) bool {
	hex, ok := strings.CutPrefix(s, "sha256:")
	return ok && len(hex) == 64 && strings.Trim(hex, "0123456789abcdef") == ""
}

// Name is HOST/REPOSITORY.
func (r Reference) Name() string { return r.Registry + "/" + r.Repository }

// URL is oci://HOST/REPOSITORY.
func (r Reference) URL() string { return Scheme + r.Name() }

// String is the reference as ParseReference takes it.
func (r Reference) String() string {
	s := r.URL()
	if r.Tag != "" {
		s += ":" + r.Tag
	}
	if r.Digest != "" {
		s += "@" + r.Digest
	}
	return s
}

// WithTag names another tag of the repository.
func (r Reference) WithTag(tag string) Reference {
	r.Tag, r.Digest = tag, ""
	return r
}

// WithDigest names an artifact of the repository by digest alone.
func (r Reference) WithDigest(digest string) Reference {
	r.Tag, r.Digest = "", digest
	return r
}
