package sharedcache

import (
	"context"
	"errors"
	"net/url"
	"time"

	"github.com/waybill-dev/waybill/pkg/oci"
)

// Media types of an entry in a registry.
const (
	entryArtifact = "application/vnd.waybill.cache.entry.v1"
	entryLayer    = "application/vnd.waybill.cache.entry.v1+zstd"
)

// embedded is the largest entry that is also in its manifest, so that one request gets both. Registries take manifests of 4 MiB,
// and base64 makes a third more.
const embedded = 1 << 20

// ociStore keeps each entry as an artifact of one layer, whose tag is the name of the entry.
type ociStore struct {
	client *oci.Client
	repo   oci.Reference
}

// openOCI makes a store of a repository in a registry: oci://HOST/REPOSITORY. The credentials are those of docker or podman.
func openOCI(u *url.URL) (store, error) {
	ref, err := oci.ParseReference(u.String())
	switch {
	case err != nil:
		return nil, err
	case ref.Tag != "" || ref.Digest != "":
		return nil, errors.New("want no tag and no digest: each entry has a tag of its own")
	}
	client, err := oci.New(oci.Options{
		MoveTags: true, Wait: 50 * time.Millisecond, Limits: oci.Limits{Bytes: maxEntry, Layers: 1},
	})
	if err != nil {
		return nil, err
	}
	return &ociStore{client, ref}, nil
}

// registryTimeout is how long a registry may take for an entry.
const registryTimeout = 5 * time.Second

func (s *ociStore) get(ctx context.Context, name string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, registryTimeout)
	defer cancel()
	pulled, err := s.client.Pull(ctx, s.repo.WithTag(name))
	switch {
	case errors.Is(err, oci.ErrNotFound):
		return nil, errAbsent
	case err != nil:
		return nil, err
	case len(pulled.Layers) == 0:
		return nil, errAbsent
	}
	return pulled.Layers[0].Data, nil
}

func (s *ociStore) put(ctx context.Context, name string, entry []byte) error {
	_, err := s.client.Push(ctx, s.repo.WithTag(name), &oci.Artifact{
		ArtifactType: entryArtifact,
		Layers:       []oci.Blob{{MediaType: entryLayer, Data: entry, Embed: len(entry) <= embedded}},
	})
	return err
}
