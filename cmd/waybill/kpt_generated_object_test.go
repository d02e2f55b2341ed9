package main

import (
	"fmt"
	"strings"
)

// name is one that no other object of the package has.
func (g *generated) name() string {
	g.names++
	return fmt.Sprintf("o%d", g.names)
}

// document makes up one object.
func (g *generated) document() string {
	return g.one("", "", "", "# about it\n", "# about it\n# and more\n", "# apart\n\n") + g.object()
}

func (g *generated) object() string {
	meta := g.metadata()
	switch g.IntN(4) {
	case 0:
		return "apiVersion: apps/v1\nkind: Deployment\n" + meta + "spec:\n  replicas: 1 # few\n  template:\n    spec:\n" + indent(g.containers(), 6)
	case 1:
		return g.one("apiVersion: example.com/v1\nkind: Gadget\n", "kind: Gadget\napiVersion: example.com/v1\n") + meta + "spec:\n" + indent(g.fields(), 2)
	}
	return g.one("apiVersion: v1\n", "apiVersion: v1 # core\n") + "kind: ConfigMap\n" + meta + g.data()
}

func (g *generated) metadata() string {
	name := g.name()
	if g.chance(10) {
		return fmt.Sprintf("metadata: {name: %s, labels: {app: a}} # flow\n", name)
	}
	text := "metadata:\n  name: " + g.one(name, name, name+" # named", `"`+name+`"`) + "\n"
	if g.chance(30) {
		text += "  namespace: " + g.one("shop", "shop", "'other'") + "\n"
	}
	if g.chance(40) {
		text += "  labels:" + g.one("\n    app: a\n", "\n    # first\n    app: a # one\n    tier: \"1\"\n", " {app: b}\n", " {}\n", "\n    tier: web\n")
	}
	if g.chance(30) {
		text += "  annotations:" + g.one("\n    note: x\n", "\n    note: 'y' # why\n", " {note: x}\n", " {}\n", "\n    example.com/a.b: |\n      lines\n      more\n",
			"\n    config.kubernetes.io/local-config: \"true\"\n", "\n    internal.kpt.dev/upstream-identifier: 'a|b|c|d'\n")
	}
	return text
}

func (g *generated) data() string {
	return g.one(
		"data:\n  a: \"1\" # quoted\n  # above b\n  b: 'two'\n  c: plain\n",
		"data: {a: \"1\", b: two} # flow\n",
		"data:\n  script: |\n    line one\n    # no comment\n\n    line two\n",
		"data:\n  folded: >-\n    some\n    words\n",
		"data:\n    wide: indent\n    more: yes\n",
		"data:\n  long: "+strings.Repeat("many words ", 14)+"end\n",
		"data:\n  quoted: \""+strings.Repeat("many words ", 14)+"\"\n",
		"data:\n  keep: |+\n    a\n\n  strip: |-\n    b\n",
		"data:\n  \"on\": \"yes\"\n  'n': 'null'\n  1: one\n",
		"data: {}\n",
		"data:\n",
		"data:\n  e: \"\"\n  n: null\n  t: ~\n  x: 0x1F\n  o: 010\n  f: 1e3\n",
		"data:\n  uni: é ☃\n  emoji: \"😀\"\n  esc: \"a\\tb\\n\\u00e9\"\n",
		"data:\n  a: b   # far\n  # last\n",
		"# before data\ndata:\n  a: b\n\n  c: d\nimmutable: false\n",
		"data:\n  date: 2001-01-01\n  time: 12:30\n  version: 1.10\n",
		"data:\n  plain: one\n    two\n    three\n",
		"data:\n  json: '{\"a\": [1, 2]}'\n  colon: 'a: b'\n  hash: 'a # b'\n",
		"binaryData:\n  k: aGVsbG8=\ndata:\n  tail: \"x \"\n  lead: ' x'\n",
		"",
	)
}

// fields are those of a kind that no schema knows.
func (g *generated) fields() string {
	var text string
	for i := range 1 + g.IntN(3) {
		text += g.one(
			"args:\n- b\n- c # last\n",
			"args:\n  - b\n  - c # last\n",
			"args: [b, c]\n",
			"args: [b, # first\n  c]\n",
			"args: []\n",
			"wide:\n  - name: a\n    value: 1\n  # of b\n  - name: b\n    value: 2\n",
			"compact:\n- name: a\n  value: 1 # one\n-   name: b\n",
			"nested:\n- - a\n  - b\n- - c\n",
			"mixed:\n- a\nother:\n  - b\n",
			"map: {a: {b: c}, d: [e, {f: g}]}\n",
			"anchor: &a {x: y}\nalias: *a\n",
			"base: &b\n  x: y\ncopy: *b\n",
			"nulls:\n- null\n- ~\n-\n",
			"key with space: a\n\"quoted key\": b\n",
			"block: |2\n    two more\n  end\n",
			"tagged: !!str 7\nown: !mine x\n",
			"? complex\n: value\n",
			"scalars: [1, 1.0, true, yes, 'no', 0o7, .inf, 1_000]\n",
			"last: a # trailing\n# after the field\n",
		)
		if i == 0 && g.chance(15) {
			text = "# of spec\n" + text
		}
	}
	return unique(text)
}

// unique leaves out the lines of a top-level key that is given a second time.
func unique(text string) string {
	seen, skip := map[string]bool{}, false
	var out strings.Builder
	for line := range strings.Lines(text) {
		key, _, isKey := strings.Cut(line, ":")
		if isKey && !strings.ContainsAny(line[:1], " -#") || strings.HasPrefix(line, "? ") {
			skip = seen[key]
			seen[key] = true
		}
		if !skip {
			out.WriteString(line)
		}
	}
	return out.String()
}

func (g *generated) containers() string {
	return g.one(
		"containers:\n- name: web\n  image: web:1 # pinned\n  ports:\n  - containerPort: 80\n- name: side # car\n  image: side\n",
		"containers:\n  - name: web\n    # where from\n    image: web:1\n    args: [\"-a\", '-b']\n    env:\n      - name: A\n        value: \"1\"\n",
		"containers:\n# the first\n- image: web:1\n  name: web\n  ports:\n    - containerPort: 80\n",
		"containers: [{name: web, image: web}]\nvolumes: []\n",
	)
}

func indent(text string, by int) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		out.WriteString(strings.Repeat(" ", by) + line)
	}
	return out.String()
}
