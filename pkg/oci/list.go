package oci

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/remote/transport"
)

// Tags are the tags of a repository, sorted. A repository that is not there is ErrNotFound.
func (c *Client) Tags(ctx context.Context, repo Reference) ([]string, error) {
	named, err := c.repository(repo)
	if err != nil {
		return nil, c.failed(repo, err)
	}
	list, err := c.puller.Lister(ctx, named)
	if err != nil {
		return nil, c.failed(repo, err)
	}
	all, err := collect(c.options.Limits, list.HasNext, func() ([]string, error) {
		page, err := list.Next(ctx)
		if err != nil {
			return nil, err
		}
		return page.Tags, nil
	})
	if err != nil {
		return nil, c.failed(repo, fmt.Errorf("tags: %w", err))
	}
	return all, nil
}

// ErrNoCatalog says that a registry does not list its repositories, or not to this client.
var ErrNoCatalog = errors.New("the registry does not list its repositories")

// noCatalog are the answers of registries that do not list their repositories.
var noCatalog = []int{
	http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusNotImplemented,
}

// catalogError says why the repositories of a registry cannot be listed.
func (c *Client) catalogError(registry string, err error) error {
	var refused *transport.Error
	if errors.As(err, &refused) && slices.Contains(noCatalog, refused.StatusCode) {
		return fmt.Errorf("%w (HTTP status %d)", ErrNoCatalog, refused.StatusCode)
	}
	return fmt.Errorf("repositories of %s: %w", registry, c.access.Redact(err))
}

// Repositories are the repositories of a registry whose path begins with prefix, sorted. Some registries do not list them: that is
// ErrNoCatalog.
func (c *Client) Repositories(ctx context.Context, registry, prefix string) ([]string, error) {
	named, err := name.NewRegistry(registry, c.access.Names()...)
	if err != nil {
		return nil, fmt.Errorf("registry %q: %w", registry, err)
	}
	list, err := c.puller.Catalogger(ctx, named)
	if err != nil {
		return nil, c.catalogError(registry, err)
	}
	all, err := collect(c.options.Limits, list.HasNext, func() ([]string, error) {
		page, err := list.Next(ctx)
		if err != nil {
			return nil, err
		}
		return page.Repos, nil
	})
	if err != nil {
		return nil, c.catalogError(registry, err)
	}
	return slices.DeleteFunc(all, func(r string) bool { return !strings.HasPrefix(r, prefix) }), nil
}

// collect reads the pages of a list, within bounds.
func collect(l Limits, more func() bool, next func() ([]string, error)) ([]string, error) {
	var all []string
	for pages := 1; more(); pages++ {
		if pages > l.Pages {
			return nil, fmt.Errorf("the list has more than %d pages", l.Pages)
		}
		page, err := next()
		if err != nil {
			return nil, err
		}
		if all = append(all, page...); len(all) > l.Tags {
			return nil, fmt.Errorf("the list has more than %d entries", l.Tags)
		}
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}
