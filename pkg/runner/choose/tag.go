package choose

import (
	"context"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/Masterminds/semver/v3"

	"github.com/waybill-dev/waybill/pkg/catalog"
	"github.com/waybill-dev/waybill/pkg/lazyregexp"
	"github.com/waybill-dev/waybill/pkg/runner/container"
)

// exactTag is a tag, as opposed to a version constraint. "1.x" could be both and is a constraint.
var (
	exactTag = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$`) })
	wildcard = lazyregexp.New(`^v?[0-9]+(\.[0-9]+)?\.[xX]$`)
)

// resolvedTags holds the tags for constraints, so that one render never uses two versions.
type resolvedTags struct {
	sync.Mutex
	tags map[string]string
}

// tag resolves a tag field: it is the tag itself, or the highest version that meets a constraint.
func (o factory) tag(ctx context.Context, repository, field string) (string, error) {
	if exactTag().MatchString(field) && !wildcard.MatchString(field) {
		return field, nil
	}
	constraint, err := semver.NewConstraint(field)
	if err != nil {
		return "", errors.New("is neither a tag nor a version constraint")
	}
	o.resolvedTags.Lock()
	defer o.resolvedTags.Unlock()
	key := repository + ":" + field
	if tag, known := o.resolvedTags.tags[key]; known {
		return tag, nil
	}
	tag, err := o.highest(ctx, repository, constraint)
	if err == nil {
		o.resolvedTags.tags[key] = tag
	}
	return tag, err
}

// source lists versions of an image.
type source struct {
	name string // in messages
	tags func(ctx context.Context) ([]string, error)
}

// highest asks one source after another, and returns the highest version from the first that has one.
func (o factory) highest(ctx context.Context, repository string, c *semver.Constraints) (string, error) {
	var asked []string
	for _, s := range o.sources(repository) {
		tags, err := s.tags(ctx)
		if err != nil {
			return "", fmt.Errorf("%s: %w", s.name, err)
		}
		if tag := highestOf(tags, c); tag != "" {
			return tag, nil
		}
		asked = append(asked, s.name)
	}
	if len(asked) == 0 {
		return "", errors.New("is a version constraint, but no registry, engine or linked function lists versions of the image; " +
			"use an exact version")
	}
	return "", fmt.Errorf("no version meets it among %s", strings.Join(asked, ", "))
}

func (o factory) sources(repository string) (all []source) {
	add := func(name string, tags func(context.Context) ([]string, error)) {
		all = append(all, source{name, tags})
	}
	if o.Runtime == "auto" || o.Runtime == "inproc" {
		add("the linked functions", func(context.Context) ([]string, error) { return linkedTags(repository), nil })
	}
	if o.Runtime == "inproc" {
		return all
	}
	if engine, err := o.engine(repository); err == nil { // without an engine, the version from the registry may be linked
		add("the images of "+engine, func(ctx context.Context) ([]string, error) {
			return container.LocalTags(ctx, engine, repository)
		})
	}
	if o.Tags != nil && o.PullPolicy != "Never" {
		add("the tags in the registry", func(ctx context.Context) ([]string, error) { return o.Tags(ctx, repository) })
	}
	return all
}

// linkedTags are the tags of a repository for which linked functions replace the images.
func linkedTags(repository string) []string {
	registry, name := path.Split(repository)
	if registry == catalog.Registry+"/" && catalog.ByName(name) != nil {
		return []string{catalog.Version}
	}
	if images, versions := catalog.StandsInFor(name); slices.Contains(images, repository) {
		return versions
	}
	return nil
}

// versionTag is a tag that names a version. One number alone is none: "v1" moves from version to
// version, and "20240131" is a date.
var versionTag = lazyregexp.New(`^v?[0-9]+\.[0-9]+(\.[0-9]+)?(-[0-9A-Za-z.-]+)?$`)

// highestOf is the tag with the highest version that meets c, "" when there is none. Of several tags for the
// same version it is the longest, which moves least, and then the first in alphabetical order.
func highestOf(tags []string, c *semver.Constraints) (best string) {
	var highest *semver.Version
	for _, tag := range tags {
		if !versionTag.MatchString(tag) || !exactTag().MatchString(tag) {
			continue
		}
		v, err := semver.NewVersion(tag)
		if err != nil || !c.Check(v) {
			continue
		}
		if highest == nil || higher(v, highest, tag, best) {
			highest, best = v, tag
		}
	}
	return best
}

func higher(v, than *semver.Version, tag, thanTag string) bool {
	if by := v.Compare(than); by != 0 {
		return by > 0
	}
	if by := len(tag) - len(thanTag); by != 0 {
		return by > 0
	}
	return tag < thanTag
}
