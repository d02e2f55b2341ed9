package local

import (
	"context"
	"encoding/base64"
	"fmt"
	"path/filepath"
	"strings"
	"sync"

	"github.com/waybill-dev/waybill/controllers/packagevariant"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/revision"
)

// Repositories opens the Git repositories of an Input, each at most once.
type Repositories struct {
	in     *Input
	onStep func(gitrepo.Step)

	mu   sync.Mutex
	open map[Key]*packagevariant.Repository
}

var _ packagevariant.Repositories = (*Repositories)(nil)

// Repositories returns the repositories of in. onStep, which may be nil, is told what Git does.
func (in *Input) Repositories(onStep func(gitrepo.Step)) *Repositories {
	return &Repositories{in: in, onStep: onStep, open: map[Key]*packagevariant.Repository{}}
}

// Keys are the names of all Repository objects.
func (r *Repositories) Keys() []Key {
	var out []Key
	for k := range r.in.repositories {
		out = append(out, k)
	}
	return out
}

// Repository opens a repository by the name of its Repository object.
func (r *Repositories) Repository(ctx context.Context, namespace, name string) (*packagevariant.Repository, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	key := Key{namespace, name}
	if repo := r.open[key]; repo != nil {
		return repo, nil
	}
	obj := r.in.repositories[key]
	if obj == nil {
		return nil, fmt.Errorf("there is no Repository %q in namespace %q", name, namespace)
	}
	repo, err := r.openRepository(ctx, key, obj)
	if err != nil {
		return nil, fmt.Errorf("repository %s: %w", key, err)
	}
	r.open[key] = repo
	return repo, nil
}

func (r *Repositories) openRepository(ctx context.Context, key Key, obj *repository) (*packagevariant.Repository, error) {
	if err := obj.Validate(); err != nil {
		return nil, err
	}
	git := obj.Spec.Git
	creds, err := r.in.credentials(key.Namespace, git.SecretRef.Name)
	if err != nil {
		return nil, err
	}
	repo, err := gitrepo.Open(ctx, location(obj.dir, git.Repo), gitrepo.Options{Credentials: creds, OnStep: r.onStep})
	if err != nil {
		return nil, err
	}
	store, err := revision.New(repo, revision.Config{
		Name: obj.Name, Branch: git.BranchName(), CreateBranch: git.CreateBranch, Directory: git.Directory,
		Author: git.Author, Email: git.Email,
	})
	if err != nil {
		return nil, err
	}
	return &packagevariant.Repository{Store: store, URL: git.Repo, Deployment: obj.Spec.Deployment}, nil
}

// location is where the repository is: a URL as it stands, a relative path from its file's folder.
func location(dir, repo string) string {
	if strings.Contains(repo, "://") || filepath.IsAbs(repo) {
		return repo
	}
	return filepath.Join(dir, filepath.FromSlash(repo))
}

// credentials reads a Secret of type kubernetes.io/basic-auth, or Opaque with a bearerToken.
func (in *Input) credentials(namespace, name string) (gitrepo.Credentials, error) {
	if name == "" {
		return gitrepo.Credentials{}, nil
	}
	s := in.secrets[Key{namespace, name}]
	if s == nil {
		return gitrepo.Credentials{}, fmt.Errorf("secretRef: there is no Secret %q in namespace %q", name, namespace)
	}
	values := map[string]string{}
	for _, key := range []string{"username", "password", "bearerToken"} {
		v, err := secretValue(s, key)
		if err != nil {
			return gitrepo.Credentials{}, fmt.Errorf("secret %q: data.%s is not base64", name, key)
		}
		values[key] = v
	}
	if values["bearerToken"] == "" && values["password"] == "" {
		return gitrepo.Credentials{}, fmt.Errorf("secret %q holds neither a password nor a bearerToken", name)
	}
	return gitrepo.Credentials{Username: values["username"], Password: values["password"], BearerToken: values["bearerToken"]}, nil
}

func secretValue(s *krm.Object, key string) (string, error) {
	if text := s.String("stringData", key); text != "" {
		return text, nil
	}
	data, err := base64.StdEncoding.DecodeString(s.String("data", key))
	return string(data), err
}
