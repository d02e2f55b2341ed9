package plain_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/krm/plain"
)

const web = `# the shop's front
apiVersion: apps/v1
kind: Deployment # as before
metadata:
  name: web
  labels:
    app.kubernetes.io/name: 'it''s'
  annotations: {}
spec:
  replicas: 3   # per cluster
  template:
    spec:
      containers:
      # the first one
      - name: main
        image: nginx:1.25
        args: [] # none
        command:
        - --flag=a,b
        - "say \"hi\"" # to all
        - - nested
          - -1
        ports:
          - containerPort: 80
            protocol: TCP
      - name: side

        env:
        - name: SCRIPT
          value: |-
            #!/bin/sh
            a: [

              more
        - name: TEXT
          value: >
            folded
`

const config = "apiVersion: v1\nkind: ConfigMap\nmetadata: # whose\n    name: a\ndata:\n    a: b\n"

func TestResources(t *testing.T) {
	head := "apiVersion: v1\nkind: A\nmetadata:\n  name: a\n"
	for name, c := range map[string]struct {
		text string
		want bool
	}{
		"all forms":          {web, true},
		"two documents":      {"---\n" + config + "---\n" + web, true},
		"nothing":            {"", false},
		"only a comment":     {"# a\n", false},
		"empty document":     {config + "---\n---\n" + config, false},
		"no last line end":   {strings.TrimSuffix(config, "\n"), false},
		"no name":            {"apiVersion: v1\nkind: A\nmetadata:\n  labels: {}\n", false},
		"name is null":       {"apiVersion: v1\nkind: A\nmetadata:\n  name: null\n", false},
		"name elsewhere":     {"apiVersion: v1\nkind: A\nspec:\n  name: a\n", false},
		"name in a list":     {"apiVersion: v1\nkind: A\nmetadata:\n- name: a\n", false},
		"name below":         {"apiVersion: v1\nkind: A\nmetadata:\n  labels:\n    name: a\n", false},
		"no kind":            {"apiVersion: v1\nmetadata:\n  name: a\n", false},
		"workflow":           {"on: push\njobs: {}\n", false},
		"script":             {"#!/bin/sh\necho\n", false},
		"twice":              {head + "kind: B\n", false},
		"twice below":        {head + "a:\n  b: c\n  b: d\n", false},
		"tab":                {head + "a:\n\tb: c\n", false},
		"anchor":             {head + "a: &a b\n", false},
		"alias":              {head + "a: *a\n", false},
		"tag":                {head + "a: !!binary aa\n", false},
		"flow":               {head + "a: [b]\n", false},
		"merge":              {head + "<<: a\n", false},
		"null":               {head + "a:\nb: c\n", true},
		"no value at end":    {head + "a:\n", true},
		"between two levels": {head + "a:\n    b: c\n  d: e\n", false},
		"below a value":      {head + "a: b\n  c: d\n", false},
		"plain lines":        {head + "a: b\n  c\n", false},
		"two keys":           {head + "a: b: c\n", false},
		"open quote":         {head + "a: \"b\n", false},
		"after a quote":      {head + "a: \"b\" c\n", false},
		"comment at a quote": {head + "a: \"b\"#c\n", false},
		"escape of JSON":     {head + "a: \"\\/\"\n", false},
		"bad escape":         {head + "a: \"\\x\"\n", false},
		"deep":               {head + "a:\n" + strings.Repeat("- ", 120) + "a\n", false},
		"end of documents":   {head + "...\na\n", false},
		"no block":           {head + "a: |\nb: c\n", false},
		"huge":               {head + "a: " + strings.Repeat("b", 1<<20) + "\n", false},
		"control":            {head + "a: b\x00\n", false},
		"not ASCII":          {head + "a: ü\n", false},
		"not ASCII, within":  {head + "a: für\nb: \"ü\" # ü\nc: |\n  ü\td\n", true},
		"not UTF-8":          {head + "a: f\xfcr\n", false},
		"line of YAML":       {head + "a: |\n  b\u2028c\n", false},
		"marks":              {"\ufeff\ufeff" + head, false},
	} {
		if _, got := plain.Resources([]byte(c.text)); got != c.want {
			t.Errorf("%s: got %t", name, got)
		}
		checkSound(t, c.text)
	}
}

// checkSound compares with the long way: what is recognized can be read, is resources, and holds no more values.
func checkSound(t *testing.T, text string) bool {
	t.Helper()
	values, ok := plain.Resources([]byte(text))
	if !ok {
		return false
	}
	items, err := krm.Read("a.yaml", []byte(text), krm.Limits{})
	if err != nil || len(items) == 0 {
		t.Fatalf("%d items, %v:\n%s", len(items), err, text)
	}
	for _, o := range items {
		if o.APIVersion() == "" || o.Kind() == "" || o.Name() == "" {
			t.Fatalf("no resource: %q", text)
		}
	}
	if n := krm.Values(items); n > values {
		t.Fatalf("holds %d values, not %d:\n%s", n, values, text)
	}
	return true
}

// TestSound makes random changes to texts: what is still recognized is sound.
func TestSound(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2)) // #nosec G404 -- a test
	words := []string{
		"- ", "-", ":", ": ", "\n", "  ", " ", "#", " #", "\"", "'", "|", "|-\n", ">", "{}", "[]", "[", "}", "---\n", "...", "&a ", "*a", "!!str ",
		"? ", "a: b\n", "  a: b\n", "    - a\n", "null", "~", "<<: ", "%", "@", "`", "\\", "=", ",", "name", "metadata:\n", "kind: ", "\t", "0x1", "-\n", "1: a\n",
	}
	recognized := 0
	const rounds = 60_000
	for range rounds {
		text := []string{web, config, "---\n" + config + "---\n" + config}[r.IntN(3)]
		for range 1 + r.IntN(3) {
			at, end := r.IntN(len(text)+1), 0
			end = min(len(text), at+[]int{0, 0, 1, 2, 5}[r.IntN(5)])
			if lines := strings.SplitAfter(text, "\n"); r.IntN(4) == 0 { // a line moves
				i, j := r.IntN(len(lines)), r.IntN(len(lines))
				lines[i], lines[j] = lines[j], lines[i]
				text = strings.Join(lines, "")
				continue
			}
			text = text[:at] + words[r.IntN(len(words))] + text[end:]
		}
		if checkSound(t, text) {
			recognized++
		}
	}
	if recognized < rounds/50 || recognized > rounds*9/10 {
		t.Errorf("%d of %d texts are recognized: this proves little", recognized, rounds)
	}
}

func FuzzResources(f *testing.F) {
	for _, text := range []string{web, config, "---\n" + config + "---\n" + web} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { checkSound(t, text) })
}

// TestExamples: most resources of the examples are recognized, else this is of no use.
func TestExamples(t *testing.T) {
	var all, recognized int
	err := filepath.WalkDir("../../../examples", func(p string, _ os.DirEntry, err error) error {
		if err != nil || filepath.Ext(p) != ".yaml" {
			return err
		}
		text, err := os.ReadFile(p)
		if all++; checkSound(t, string(text)) {
			recognized++
		}
		return err
	})
	if err != nil || all < 20 {
		t.Fatalf("%d files, %v", all, err)
	}
	t.Logf("%d of %d files are recognized", recognized, all)
	if recognized < all/3 {
		t.Errorf("%d of %d files are recognized", recognized, all)
	}
}
