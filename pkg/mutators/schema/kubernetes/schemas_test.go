package kubernetes

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// TestMinors wants five releases, one after the other.
func TestMinors(t *testing.T) {
	if d := cmp.Diff([]string{"1.33", "1.34", "1.35", "1.36", "1.37"}, Minors()); d != "" {
		t.Error(d)
	}
}

// TestFind looks for kinds in releases that have them, and in others.
func TestFind(t *testing.T) {
	for name, c := range map[string]struct {
		kind  Kind
		minor string
		found bool
	}{
		"core":       {Kind{"v1", "Pod"}, "1.33", true},
		"group":      {Kind{"apps/v1", "Deployment"}, "1.37", true},
		"any":        {Kind{"resource.k8s.io/v1", "DeviceClass"}, "", true},
		"later":      {Kind{"resource.k8s.io/v1", "DeviceClass"}, "1.33", false},
		"since":      {Kind{"resource.k8s.io/v1", "DeviceClass"}, "1.34", true},
		"former":     {Kind{"batch/v1beta1", "CronJob"}, "", false},
		"request":    {Kind{"v1", "DeleteOptions"}, "", false},
		"no release": {Kind{"v1", "Pod"}, "1.2", false},
	} {
		if _, got := Find(c.kind, c.minor); got != c.found {
			t.Errorf("%s: %v in %q is found: %t", name, c.kind, c.minor, got)
		}
	}
}

// TestReferences resolves every reference of every kind in every release.
func TestReferences(t *testing.T) {
	seen := 0
	for kind := range load().kinds {
		for _, minor := range Minors() {
			if s, ok := Find(kind, minor); ok {
				seen += follow(t, s, s.Schema, map[string]bool{})
			}
		}
	}
	if seen < 10_000 {
		t.Errorf("only %d references", seen)
	}
}

func follow(t *testing.T, in Schema, s *spec.Schema, done map[string]bool) (seen int) {
	if s == nil {
		return 0
	}
	if ref := s.Ref.String(); ref != "" && !done[ref] {
		done[ref] = true
		to := in.Resolve(ref)
		if to == nil {
			t.Errorf("%s is not in the release", ref)
		}
		seen += 1 + follow(t, in, to, done)
	}
	for _, p := range s.Properties {
		seen += follow(t, in, &p, done)
	}
	if s.Items != nil {
		seen += follow(t, in, s.Items.Schema, done)
	}
	if s.AdditionalProperties != nil {
		seen += follow(t, in, s.AdditionalProperties.Schema, done)
	}
	return seen
}

// TestOwn tells Kubernetes' groups from those of others, which may end in the same way.
func TestOwn(t *testing.T) {
	for apiVersion, want := range map[string]bool{
		"v1": true, "apps/v1": true, "extensions/v1beta1": true, "resource.k8s.io/v9": true, "gateway.networking.k8s.io/v1": false, "example.com/v1": false,
	} {
		if IsOwn(apiVersion) != want {
			t.Errorf("%s: want %t", apiVersion, want)
		}
	}
	if got := strings.Join(Served("CronJob", ""), " "); got != "batch/v1" {
		t.Errorf("CronJob is served as %q", got)
	}
}
