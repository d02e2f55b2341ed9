package oci

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/google/go-containerregistry/pkg/name"
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

// Repositories are the repositories of a registry whose path begins with prefix, sorted. Some registries do not list them.
func (c *Client) Repositories(ctx context.Context, registry, prefix string) ([]string, error) {
	named, err := name.NewRegistry(registry, c.access.Names()...)
	if err != nil {
		return nil, fmt.Errorf("registry %q: %w", registry, err)
	}
	list, err := c.puller.Catalogger(ctx, named)
	if err != nil {
		return nil, fmt.Errorf("repositories of %s: %w", registry, c.access.Redact(err))
	}
	all, err := collect(c.options.Limits, list.HasNext, func() ([]string, error) {
		page, err := list.Next(ctx)
		if err != nil {
			return nil, err
		}
		return page.Repos, nil
	})
	if err != nil {
		return nil, fmt.Errorf("repositories of %s: %w", registry, c.access.Redact(err))
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
