package kptfile_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/kptfile"
)

const header = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: shop\n"

// full has every field of the schema, with comments and styles for edits to keep.
const full = `# the shop
apiVersion: kpt.dev/v1
kind: Kptfile
metadata: # who
  name: 'shop' # quoted
  labels: {team: web}
  annotations:
    kpt.dev/bfs-rendering: "true"
upstream:
  type: git
  git:
    repo: https://git.example/b.git # ours
    directory: shop
    ref: shop/v1
  updateStrategy: resource-merge
upstreamLock:
  type: git
  git: {repo: https://git.example/b.git, directory: shop, ref: shop/v1, commit: 1f}
info:
  # what it is
  description: a shop
  emails: [a@example.com]
  keywords:
    - shop
  readinessGates:
    # by people
    - conditionType: approved
pipeline:
  # first label
  mutators:
    # labels everything
    - image: reg.example/label:v1
      configMap: {tier: gold, replicas: 3}
    - exec: ./own --fast # local
      name: own
      selectors: [{kind: Deployment, labels: {a: b}}]
      exclude:
        - name: x
  validators:
    - image: reg.example/check:v1
      tag: ~1.2
      configPath: conf/check.yaml
inventory: {namespace: n, name: i, inventoryID: id}
status:
  conditions:
    - type: approved
      status: "False" # not yet
  renderStatus:
    mutationSteps:
      - image: reg.example/label:v1
        exitCode: 0
        results:
          - message: labelled
            severity: info
            field: {path: spec.replicas, currentValue: 1}
            file: {path: a.yaml, index: 1}
`

func TestParseRefuses(t *testing.T) {
	for name, tc := range map[string]struct{ reason, data, want string }{
		"not YAML": {
			"the error of the parser, with file and line", "# a\nb: c: d\n", "web/Kptfile: document 1, line 2: not valid YAML: mapping values are not allowed in this context",
		},
		"empty": {"a Kptfile is not empty", "# only a comment\n", "web/Kptfile: want one Kptfile object, found 0"},
		"two":   {"one object per Kptfile", header + "---\n" + header, "web/Kptfile: want one Kptfile object, found 2"},
		"twice": {
			"duplicate keys are refused before decoding", header + "info: {}\ninfo: {}\n",
			`web/Kptfile: document 1, line 6: field "info" is given twice (first 1 lines above); remove one`,
		},
		"other kind": {
			"a ConfigMap is not a Kptfile", "apiVersion: v1\nkind: ConfigMap\n",
			`web/Kptfile: want apiVersion "kpt.dev/v1" and kind "Kptfile", got "v1" and "ConfigMap"`,
		},
		"old format": {
			"old Kptfiles are refused with advice", "apiVersion: kpt.dev/v1alpha2\nkind: Kptfile\n",
			`web/Kptfile: apiVersion "kpt.dev/v1alpha2" is an old Kptfile format; migrate the package to "kpt.dev/v1" as kpt's migration guide describes`,
		},
		"future format": {
			"the meaning of a later format is unknown", "apiVersion: kpt.dev/v2\nkind: Kptfile\n",
			`web/Kptfile: apiVersion "kpt.dev/v2" is unknown, want "kpt.dev/v1"`,
		},
		"unknown fields": {
			"every one is named, deep ones with their path, and the line of the file", "# before\n---\n" + header + "pipelines: {}\npipeline:\n  mutators:\n  - image: a\n    when: x\n",
			"web/Kptfile: unknown field pipelines (line 7), pipeline.mutators[0].when (line 11)",
		},
		"unknown fields with dots in names": {
			"a name may look like a path", header + "a.b: 1\ninfo: {\"nope\": 1, 'a[0].b': 2}\npipeline:\n  validators: [{selectors: [{labels: {a.b: c}, lables: {}}]}]\n",
			"web/Kptfile: unknown field a.b (line 5), info.nope (line 6), info.a[0].b (line 6), pipeline.validators[0].selectors[0].lables (line 8)",
		},
		"wrong type": {
			"the line is that of the file, not of the document", "---\n" + header + "info: []\n",
			"web/Kptfile: line 6: cannot unmarshal !!seq into v1.PackageInfo",
		},
		"null function": {
			"an empty entry is not a function", header + "pipeline: {mutators: [~]}\n",
			"web/Kptfile: pipeline.mutators[0]: want a function, got null",
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := kptfile.Parse("web/Kptfile", []byte(tc.data))
			if diff := cmp.Diff(tc.want, message(err)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestParseReadsByTheRulesOfYAML(t *testing.T) {
	f := parse(t, full)
	want := map[string]string{"tier": "gold", "replicas": "3"}
	if diff := cmp.Diff(want, f.Functions(kptfile.Mutators)[0].ConfigMap); diff != "" {
		t.Errorf("kpt reads a number in a configMap as the string written (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff("shop", f.Spec.Name); diff != "" {
		t.Errorf("metadata.name (-want +got):\n%s", diff)
	}
}

func TestFromObjectNamesTheItem(t *testing.T) {
	o := parse(t, header+"info: {nope: 1}\n", allowError).Object
	_, err := kptfile.FromObject(o)
	if diff := cmp.Diff("Kptfile: unknown field info.nope (line 5)", message(err)); diff != "" {
		t.Errorf("an item has its path as name (-want +got):\n%s", diff)
	}
}

func TestValidatePipeline(t *testing.T) {
	for name, tc := range map[string]struct{ reason, pipeline, want string }{
		"good":    {"image or exec, one config source", "mutators: [{image: a/b:v1@sha256:" + digest + ", configMap: {a: b}}, {exec: x, configPath: c/d.yaml}]", ""},
		"neither": {"kpt's text with its typo", "mutators: [{image: a}, {name: x}]", "Kptfile is invalid:\nField: `pipeline.mutators[1]`\nReason: must specify a functon (`image` or `exec`) to execute"},
		"both":    {"kpt's text", "validators: [{image: a, exec: b}]", "Kptfile is invalid:\nField: `pipeline.validators[0]`\nReason: must not specify both `image` and `exec` at the same time"},
		"two configs": {
			"kpt's words", "mutators: [{image: a, configMap: {a: b}, configPath: c}]",
			"Kptfile is invalid:\nField: `pipeline.mutators[0]`\nReason: functionConfig must not specify both `configMap` and `configPath` at the same time",
		},
		"bad image": {
			"the text names the reference", "mutators: [{image: 'a b'}]",
			"Kptfile is invalid:\nField: `pipeline.mutators[0].image`\nValue: \"a b\"\nReason: function image reference \"a b\" is invalid: invalid reference format",
		},
		"blank path":    {"kpt's text", "mutators: [{image: a, configPath: ' '}]", "Kptfile is invalid:\nField: `pipeline.mutators[0].configPath`\nValue: \" \"\nReason: path must not be empty"},
		"absolute path": {"kpt's text", "mutators: [{image: a, configPath: /etc/x}]", "Kptfile is invalid:\nField: `pipeline.mutators[0].configPath`\nValue: \"/etc/x\"\nReason: path must be relative"},
		"outside":       {"kpt's text", "mutators: [{image: a, configPath: ../x}]", "Kptfile is invalid:\nField: `pipeline.mutators[0].configPath`\nValue: \"../x\"\nReason: path must not be outside the package"},
		"dots":          {"any two dots are refused", "mutators: [{image: a, configPath: a..b.yaml}]", "Kptfile is invalid:\nField: `pipeline.mutators[0].configPath`\nValue: \"a..b.yaml\"\nReason: path must not be outside the package"},
		"first fault":   {"mutators come before validators", "{validators: [{}], mutators: [{}]}", "Kptfile is invalid:\nField: `pipeline.mutators[0]`\nReason: must specify a functon (`image` or `exec`) to execute"},
	} {
		t.Run(name, func(t *testing.T) {
			got := message(parse(t, header+"pipeline:\n  "+tc.pipeline+"\n").ValidatePipeline())
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

const digest = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

// FuzzParse checks that Bytes returns the parsed text, that Parse is as strict as the decoder of
// Kubernetes, and that edits keep the fields they do not change.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{full, header, header + "pipeline: {mutators: [~]}\n", "---\n# c\n---\n" + header, header + "info: &a {site: x}\ninventory: *a\n",
		header + "info: {sites: x}\n", header + "pipeline: {mutators: [{image: a, when: x}]}\n", "---\n# c\n---\n" + bare + "metaduuuata:\n  nam", bare, bare + "metadata: {name: a, Labels: {}}\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		k, err := kptfile.Parse("Kptfile", data)
		checkStrict(t, data, err)
		if err != nil {
			if text := err.Error(); strings.Contains(text, "\n") || !strings.HasPrefix(text, "Kptfile: ") {
				t.Fatalf("want one line with the file name, got %q", text)
			}
			return
		}
		if got, err := k.Bytes(); err != nil || string(got) != string(data) {
			t.Fatalf("without an edit: %v, got %q, want %q", err, got, data)
		}
		if err := k.ValidatePipeline(); err != nil && !strings.HasPrefix(err.Error(), "Kptfile is invalid:\nField: `pipeline.") {
			t.Fatalf("want kpt's text, got %v", err)
		}
		checkEdits(t, data)
		checkRest(t, data)
	})
}
