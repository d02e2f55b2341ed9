package ocmtest

import (
	"fmt"
	"strings"
	"testing"
)

// TestHubRefuses shows what the webhook and the definition of ManifestWork hold works to.
func TestHubRefuses(t *testing.T) {
	// One manifest of so many bytes of compact JSON, as the webhook gets it.
	sized := func(s *site, bytes int) string {
		rest := len(strings.ReplaceAll(configMap("x", ""), "NS", s.namespace))
		return configMap("x", strings.Repeat("v", bytes-rest))
	}
	cases := map[string]struct {
		reason    string
		manifests func(s *site) []string
		spec      string
		want      string // "" if it is taken
	}{
		"nothing":      {"a work cannot be kept empty", func(*site) []string { return nil }, "", "manifests should not be empty"},
		"twice":        {"one object, one manifest", func(*site) []string { return []string{configMap("x", "1"), configMap("x", "2")} }, "", "duplicate manifest for resource test/x with resource type v1.ConfigMap"},
		"full":         {"each manifest counts with a frame of a few bytes", func(s *site) []string { return []string{sized(s, 512000-4)} }, "", ""},
		"one more":     {"and no byte more", func(s *site) []string { return []string{sized(s, 512000-3)} }, "", "the size of manifests is 512001 bytes which exceeds the 512000 limit"},
		"no resource":  {"an entry without a resource is refused", func(*site) []string { return []string{configMap("x", "1")} }, `"manifestConfigs":[{"resourceIdentifier":{"name":"*"}}]`, "spec.manifestConfigs[0].resourceIdentifier.resource: Required value"},
		"any resource": {"one for all resources is taken, and fits none: see TestConfigs", func(*site) []string { return []string{configMap("x", "1")} }, `"manifestConfigs":[` + config("", "*", "*", applyForced) + `]`, ""},
		"nowhere":      {"so is one for an object that is not there", func(*site) []string { return []string{configMap("x", "1")} }, `"manifestConfigs":[` + config("", "configmaps", "nowhere", applyForced) + `]`, ""},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			s := newSite(t)
			err := s.GitOps.hub.Apply(t, s.work(t, "a", tc.spec, tc.manifests(s)...))
			if (err == nil) != (tc.want == "") || err != nil && !strings.Contains(strings.ReplaceAll(err.Error(), s.namespace, "test"), tc.want) {
				t.Errorf("%s: want %q, got %v", tc.reason, tc.want, err)
			}
		})
	}
}

// TestLastApplied shows why works over 256 KiB must be applied server-side: a client that keeps a copy of what it applied does so
// in an annotation.
func TestLastApplied(t *testing.T) {
	s := newSite(t)
	w := s.work(t, "a", "", configMap("x", strings.Repeat("v", 300_000)))
	s.settle(t, w)
	w.SetAnnotations(map[string]string{"kubectl.kubernetes.io/last-applied-configuration": printed(w)})
	if err := s.GitOps.hub.Apply(t, w); err == nil || !strings.Contains(err.Error(), "metadata.annotations: Too long: may not be more than 262144 bytes") {
		t.Errorf("want the annotation refused, got %v", err)
	}
}

// TestConfigs shows which strategy an object gets: one that is applied server-side has fields that were.
func TestConfigs(t *testing.T) {
	cases := map[string]struct {
		reason  string
		configs []string
		want    string // the objects that were applied server-side
	}{
		"any name":         {"a wildcard fits all", []string{config("", "configmaps", "*", applyForced)}, "x1 x2 y1"},
		"pattern":          {"or those that fit a pattern", []string{config("", "configmaps", "x*", applyForced)}, "x1 x2"},
		"any resource":     {"resources have none", []string{config("", "*", "*", applyForced)}, ""},
		"first of two":     {"the first that fits counts", []string{config("", "configmaps", "x1", createOnly), config("", "configmaps", "*", applyForced)}, "x2 y1"},
		"wildcard first":   {"even if a later one fits better", []string{config("", "configmaps", "*", applyForced), config("", "configmaps", "x1", createOnly)}, "x1 x2 y1"},
		"another question": {"if it says something about this", []string{strings.Replace(config("", "configmaps", "x1", ""), `"updateStrategy":`, `"feedbackRules":[{"type":"JSONPaths","jsonPaths":[{"name":"k","path":".data.key"}]}]`, 1), config("", "configmaps", "*", applyForced)}, "x1 x2 y1"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			s := newSite(t)
			s.settle(t, s.work(t, "a", `"manifestConfigs":[`+strings.Join(tc.configs, ",")+`]`, configMap("x1", "1"), configMap("x2", "1"), configMap("y1", "1")))
			var got []string
			for _, name := range []string{"x1", "x2", "y1"} {
				for _, f := range s.get(t, "v1", "ConfigMap", name).GetManagedFields() {
					if f.Operation == "Apply" {
						got = append(got, name)
					}
				}
			}
			if strings.Join(got, " ") != tc.want {
				t.Errorf("%s: want %q applied server-side, got %q", tc.reason, tc.want, got)
			}
		})
	}
}

// TestFailures shows what works report of manifests that clusters refuse, and that the others of the work are applied.
func TestFailures(t *testing.T) {
	const unknown = `{"apiVersion":"nowhere.io/v1","kind":"Widget","metadata":{"namespace":"NS","name":"w"}}`
	cases := map[string]struct {
		reason   string
		manifest string
		strategy string
		want     string // "" if it is applied
	}{
		"unknown field": {"a server-side apply is strict", deployment("i", `"replicaz":3,`), applyForced,
			"Deployment test/web: Failed to apply manifest: failed to create typed patch object (test/web; apps/v1, Kind=Deployment): .spec.replicaz: field not declared in schema"},
		"unknown field, Update": {"an update is not", deployment("i", `"replicaz":3,`), update, ""},
		"unknown kind":          {"before its definition", unknown, applyForced, `Widget test/w: Failed to apply manifest: the server doesn't have a resource type "Widget"`},
		"no namespace":          {"before its namespace", strings.Replace(configMap("z", "1"), `"NS"`, `"none-NS"`, 1), applyForced, `ConfigMap none-test/z: Failed to apply manifest: namespaces "none-test" not found`},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			s := newSite(t)
			s.Push(t, s.work(t, "a", every(tc.strategy), tc.manifest, configMap("x", "1")))
			if got := strings.ReplaceAll(strings.Join(s.Settle(t), "\n"), s.namespace, "test"); got != tc.want {
				t.Errorf("%s: want %q, got %q", tc.reason, tc.want, got)
			}
			if s.get(t, "v1", "ConfigMap", "x") == nil {
				t.Errorf("%s: the rest of the work is not applied", tc.reason)
			}
		})
	}
}

// TestUnknownKindKeeps shows that a work with a kind that the cluster does not know removes nothing.
func TestUnknownKindKeeps(t *testing.T) {
	s := newSite(t)
	unknown := fmt.Sprintf(`{"apiVersion":"nowhere.io/v1","kind":"Widget","metadata":{"namespace":"NS","name":%q}}`, "w")
	s.settle(t, s.work(t, "a", every(applyForced), configMap("x", "1"), configMap("y", "1")))
	s.Push(t, s.work(t, "a", every(applyForced), configMap("y", "1"), unknown))
	if failures := s.Settle(t); len(failures) != 1 || s.get(t, "v1", "ConfigMap", "x") == nil {
		t.Fatalf("want the unknown kind to fail and x to stay, got %q", failures)
	}
	s.settle(t, s.work(t, "a", every(applyForced), configMap("y", "1")))
	if s.get(t, "v1", "ConfigMap", "x") != nil {
		t.Error("x stays when all kinds are known again")
	}
}

// TestOrder shows that works and their manifests need no order: the agent tries again.
func TestOrder(t *testing.T) {
	s := newSite(t)
	inside := strings.Replace(configMap("x", "1"), `"NS"`, `"late-NS"`, 1)
	late := `{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"late-NS"}}`
	s.Push(t, s.work(t, "a", every(applyForced), inside))
	if failures := s.Settle(t); len(failures) != 1 {
		t.Fatalf("want one failure, got %q", failures)
	}
	s.Push(t, s.work(t, "a", every(applyForced), inside), s.work(t, "b", "", late))
	s.Converge(t)
	if s.Get(t, "v1", "ConfigMap", "late-"+s.namespace, "x") == nil {
		t.Error("applied, and not there")
	}
}
