package helm

import (
	"context"
	"fmt"

	"github.com/waybill-dev/waybill/pkg/helm/fetch"
	"github.com/waybill-dev/waybill/pkg/oci"
)

// registry reads Helm's chart artifacts.
type registry struct{ plainHTTP bool }

// Tags lists the tags of a repository.
func (r registry) Tags(ctx context.Context, repository string) ([]string, error) {
	client, ref, err := r.open(repository, 0)
	if err != nil {
		return nil, err
	}
	return client.Tags(ctx, ref)
}

// Chart returns the archive that a tag names.
func (r registry) Chart(ctx context.Context, repository, tag string, limit int64) ([]byte, error) {
	client, ref, err := r.open(repository, limit)
	if err != nil {
		return nil, err
	}
	pulled, err := client.Pull(ctx, ref.WithTag(tag))
	if err != nil {
		return nil, err
	}
	if pulled.Config.MediaType != fetch.ChartConfig {
		return nil, fmt.Errorf("%s is no Helm chart: its config is %q, and that of a chart %q", ref.WithTag(tag), pulled.Config.MediaType,
			fetch.ChartConfig)
	}
	for _, layer := range pulled.Layers {
		if layer.MediaType == fetch.ChartContent {
			return layer.Data, nil
		}
	}
	return nil, fmt.Errorf("%s is no Helm chart: it has no layer %q", ref.WithTag(tag), fetch.ChartContent)
}

// open returns a client, and the reference of a repository without a scheme.
func (r registry) open(repository string, limit int64) (*oci.Client, oci.Reference, error) {
	ref, err := oci.ParseReference(oci.Scheme + repository)
	if err != nil {
		return nil, ref, err
	}
	client, err := oci.New(oci.Options{PlainHTTP: r.plainHTTP, Limits: oci.Limits{Bytes: limit}})
	return client, ref, err
}
