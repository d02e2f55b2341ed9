package expansion

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestProperties(t *testing.T) {
	type m = map[string]string
	cases := map[string]struct {
		reason                    string
		labels, annotations, data m
		binary                    map[string][]byte
		want                      m
		err                       string
	}{
		"nothing known": {
			reason: "a cluster without object and ConfigMap has its name",
			want:   m{"clusterName": "edge1"},
		},
		"precedence": {
			reason:      "later sources override earlier ones and the built-in property",
			labels:      m{"region": "a", "type": "x", "env-name": "y"},
			annotations: m{"region": "b", "clusterName": "alias"},
			data:        m{"region": "c"},
			binary:      map[string][]byte{"logo": []byte("hi")},
			want:        m{"clusterName": "alias", "region": "c", "logo": "hi"},
		},
		"every source in turn": {
			reason:      "label, annotation, data, binaryData",
			labels:      m{"a": "1", "b": "1", "c": "1", "d": "1"},
			annotations: m{"b": "2", "c": "2", "d": "2"},
			data:        m{"c": "3", "d": "3"},
			binary:      map[string][]byte{"d": []byte("4")},
			want:        m{"clusterName": "edge1", "a": "1", "b": "2", "c": "3", "d": "4"},
		},
		"identifiers": {
			reason: "Go identifiers are taken, predeclared ones and any letter included",
			labels: m{"region": "1", "_x": "2", "größe": "3", "nil": "4", "true": "5", "string": "6", "_": "7", "a1": "8"},
			want:   m{"clusterName": "edge1", "region": "1", "_x": "2", "größe": "3", "nil": "4", "true": "5", "string": "6", "_": "7", "a1": "8"},
		},
		"no identifiers": {
			reason: "the rest is left out in silence, and what is longer than Kubernetes lets any key be",
			labels: m{"my-key": "1", "a.b": "2", "example.io/region": "3", "1st": "4", "": "5", " a": "6", strings.Repeat("a", 254): "7"},
			want:   m{"clusterName": "edge1"},
		},
		"keywords": {
			reason: "all 25 of them, in data as well",
			data: m{"break": "", "case": "", "chan": "", "const": "", "continue": "", "default": "", "defer": "", "else": "",
				"fallthrough": "", "for": "", "func": "", "go": "", "goto": "", "if": "", "import": "", "interface": "", "map": "",
				"package": "", "range": "", "return": "", "select": "", "struct": "", "switch": "", "type": "", "var": ""},
			want: m{"clusterName": "edge1"},
		},
		"binary that is no text": {
			reason: "an error that names every such key, and does not take them for missing; keys that are not used do not matter",
			binary: map[string][]byte{"seal": {0xff}, "logo": {0xc3}, "logo.png": {0x89}, "ok": []byte("ö")},
			want:   m{"clusterName": "edge1", "seal": "\uFFFD", "logo": "\uFFFD", "ok": "ö"},
			err:    `properties of cluster "edge1": binaryData of "logo", "seal" is not valid UTF-8`,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := Properties("edge1", tc.labels, tc.annotations, tc.data, tc.binary)
			text := ""
			if err != nil {
				text = err.Error()
			}
			if d := cmp.Diff(tc.err, text); d != "" {
				t.Errorf("%s: error (-want +got):\n%s", tc.reason, d)
			}
			if d := cmp.Diff(tc.want, got); d != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, d)
			}
		})
	}
}
