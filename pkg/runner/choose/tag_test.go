package choose

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/catalog"
)

// registry is one that has tags, and counts how often it is asked.
type registry struct {
	tags  []string
	err   error
	asked int
}

func (r *registry) list(context.Context, string) ([]string, error) {
	r.asked++
	return r.tags, r.err
}

const foreign = "registry.example/team/f"

func TestConstraints(t *testing.T) {
	t.Setenv("PATH", "") // no engine, so that the test is the same everywhere
	tags := []string{"latest", "v1", "20240131", "v1.2.9", "v1.2.10", "1.2.10", "v1.3.0", "v2.0.0", "v2.1.0-rc.1", "deadbeef", "v1.2"}
	stood, versions := catalog.StandsInFor("set-namespace")
	cases := map[string]struct {
		reason     string
		opts       Options
		image, tag string
		want       string // the image that is meant, or
		err        string // why there is none
		registry   registry
		asked      int
	}{
		"tilde":       {reason: "patches of one minor version, compared as numbers, not as text", image: foreign, tag: "~1.2", want: foreign + ":v1.2.10", asked: 1},
		"range":       {reason: "a range with a blank", image: foreign, tag: ">=1 <2", want: foreign + ":v1.3.0", asked: 1},
		"caret":       {reason: "an untested release is taken only if it is named", image: foreign, tag: "^2", want: foreign + ":v2.0.0", asked: 1},
		"prerelease":  {reason: "as here", image: foreign, tag: ">=2.1.0-0", want: foreign + ":v2.1.0-rc.1", asked: 1},
		"wildcard":    {reason: "1.x is a constraint although it could be a tag", image: foreign, tag: "1.x", want: foreign + ":v1.3.0", asked: 1},
		"star":        {reason: "any version, but neither a date nor a moving v1", image: foreign, tag: "*", want: foreign + ":v2.0.0", asked: 1},
		"exact":       {reason: "a full tag is used as it is, without a registry", image: foreign, tag: "v1.2", want: foreign + ":v1.2"},
		"replaces":    {reason: "the tag field replaces tag and digest of the image", image: foreign + ":v9@sha256:" + strings.Repeat("a", 64), tag: "~1.2", want: foreign + ":v1.2.10", asked: 1},
		"none":        {reason: "no version that meets it", image: foreign, tag: ">=3", err: `image "` + foreign + `": tag ">=3": no version meets it among the linked functions, the tags in the registry`, asked: 1},
		"nonsense":    {reason: "what is neither", image: foreign, tag: ">>1", err: "is neither a tag nor a version constraint"},
		"linked":      {reason: "a linked function of that version needs no registry", image: catalog.Registry + "/bind-resolve", tag: ">=0.1 <1", want: catalog.Image("bind-resolve")},
		"stand-in":    {reason: "nor one that stands in for the catalogue's", image: stood[0], tag: "~" + strings.TrimPrefix(versions[0], "v"), want: stood[0] + ":" + versions[0]},
		"not linked":  {reason: "a version that is not linked is the registry's", image: catalog.Registry + "/bind-resolve", tag: ">=1", want: catalog.Registry + "/bind-resolve:v2.0.0", asked: 1},
		"inproc":      {reason: "with linked functions only no registry is asked", opts: Options{Runtime: "inproc"}, image: foreign, tag: "~1.2", err: "no version meets it among the linked functions"},
		"never":       {reason: "what may not be pulled is not looked for", opts: Options{PullPolicy: "Never"}, image: foreign, tag: "~1.2", err: "among the linked functions"},
		"unreachable": {reason: "a registry that cannot be asked", image: foreign, tag: "~1.2", registry: registry{err: errors.New("no route")}, err: `tag "~1.2": the tags in the registry: no route`, asked: 1},
		"hostile":     {reason: "tags that would be something else on a command line are none", image: foreign, tag: "*", registry: registry{tags: []string{"--privileged", "1.0.0 -v /:/", "1.0.0/../x"}}, err: "no version meets it", asked: 1},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if c.registry.tags == nil && c.registry.err == nil {
				c.registry.tags = tags
			}
			c.opts.Tags = c.registry.list
			got, err := resolveTwice(t, c.opts, c.image, c.tag)
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) || strings.Contains(err.Error(), "\n") {
					t.Errorf("%s: err = %v, want %q", c.reason, err, c.err)
				}
			} else if err != nil || got != c.want {
				t.Errorf("%s: %q (%v), want %q", c.reason, got, err, c.want)
			}
			if c.registry.asked != c.asked {
				t.Errorf("%s: the registry was asked %d times, want %d", c.reason, c.registry.asked, c.asked)
			}
		})
	}
}

// resolveTwice resolves a tag twice: the second time without a registry and with the same result.
func resolveTwice(t *testing.T, o Options, image, tag string) (string, error) {
	t.Helper()
	made, err := o.Factory()
	if err != nil {
		t.Fatal(err)
	}
	f := &kptfilev1.Function{Image: image, Tag: tag}
	got, err := made.(factory).image(context.Background(), f)
	if err != nil {
		return got, err
	}
	if again, err := made.(factory).image(context.Background(), f); err != nil || again != got {
		t.Errorf("asked again: %q (%v), was %q", again, err, got)
	}
	return got, nil
}

func TestNoSourceOfTags(t *testing.T) {
	t.Setenv("PATH", "")
	if _, err := resolveTwice(t, Options{Runtime: "podman", PullPolicy: "Never"}, foreign, "~1"); err == nil || !strings.Contains(err.Error(), "images of podman: ") {
		t.Errorf("an engine that is not there: err = %v", err)
	}
}

// TestLocalFirst has an engine with images of its own: they come before the registry's, however high
// those are, without the registry; for other ranges it asks the registry.
func TestLocalFirst(t *testing.T) {
	bin := t.TempDir()
	engine := "#!/bin/sh\n" + `[ "$*" = "images --format {{.Repository}} {{.Tag}}" ] || exit 1
printf '%s\n' "` + foreign + ` v1.0.0" "` + foreign + ` v1.1.0" "` + foreign + `-other v1.9.0" "<none> <none>" "` + foreign + ` <none>"
`
	if err := os.WriteFile(filepath.Join(bin, "docker"), []byte(engine), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	for constraint, want := range map[string]string{"^1": "v1.1.0", ">=1.2": "v2.0.0"} {
		r := registry{tags: []string{"v1.2.0", "v2.0.0"}}
		got, err := resolveTwice(t, Options{Engine: "docker", Tags: r.list}, foreign, constraint)
		if err != nil || got != foreign+":"+want || (r.asked == 1) != (want == "v2.0.0") {
			t.Errorf("%s: %q (%v), the registry was asked %d times; want %s", constraint, got, err, r.asked, want)
		}
	}
}

// TestHighestOf takes tags in any order: the same one wins.
func TestHighestOf(t *testing.T) {
	made, err := Options{}.Factory()
	if err != nil {
		t.Fatal(err)
	}
	for _, tags := range [][]string{{"1.2.0", "v1.2", "v1.2.0"}, {"v1.2.0", "1.2.0", "v1.2"}, {"v1.2", "v1.2.0", "1.2.0"}} {
		o := made.(factory)
		o.Runtime, o.PullPolicy, o.Tags = "auto", "Always", (&registry{tags: tags}).list
		o.resolvedTags = &resolvedTags{tags: map[string]string{}}
		t.Setenv("PATH", "")
		if got, err := o.tag(context.Background(), foreign, "~1"); err != nil || got != "v1.2.0" {
			t.Errorf("of %v: %q (%v)", tags, got, err)
		}
	}
}
