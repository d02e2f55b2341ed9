package fetch

import (
	"context"
	"errors"
	"net/url"
	"strings"
)

// Media types of Helm's chart artifacts.
const (
	ChartConfig  = "application/vnd.cncf.helm.config.v1+json"
	ChartContent = "application/vnd.cncf.helm.chart.content.v1.tar+gzip"
)

// fromRegistry fetches a chart of an OCI repository: REPO/NAME, whose tags are versions.
func (f *Fetcher) fromRegistry(ctx context.Context, repo *url.URL, r Request) (*Archive, error) {
	if f.o.Registry == nil {
		return nil, errors.New("oci:// repositories cannot be read here")
	}
	repository := strings.TrimPrefix(repo.JoinPath(r.Name).String(), "oci://")
	version, err := f.tagged(ctx, repository, r.Version)
	if err != nil {
		return nil, err
	}
	data, err := f.o.Registry.Chart(ctx, repository, tagOf(version), f.o.Limits.Archive)
	if err != nil {
		return nil, err
	}
	return &Archive{Version: version, Data: data}, nil
}

// tagged is the version that wanted allows. An exact one needs no list of tags.
func (f *Fetcher) tagged(ctx context.Context, repository, wanted string) (string, error) {
	if Exact(wanted) {
		return wanted, nil
	}
	tags, err := f.o.Registry.Tags(ctx, repository)
	if err != nil {
		return "", err
	}
	for i, tag := range tags {
		tags[i] = strings.ReplaceAll(tag, "_", "+")
	}
	at, err := choose(tags, wanted)
	if err != nil {
		return "", err
	}
	return tags[at], nil
}

// tagOf is the tag of a version: tags have no +, and Helm writes _ for it.
func tagOf(version string) string { return strings.ReplaceAll(version, "+", "_") }
