package document

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// checkPlain holds a file that plainMark marks to what parsing gives, and reports whether it marks it.
func checkPlain(t testing.TB, data []byte) bool {
	t.Helper()
	got, ok := plainMark(data)
	if !ok || HasMarks(data) {
		return false
	}
	want, err := markParsed("app.yaml", pkgtree.NewBlob(data))
	if err != nil {
		t.Fatalf("%v\n%s", err, data)
	}
	if diff := cmp.Diff(string(want.Data()), string(got)); diff != "" {
		t.Fatalf("(-parsed +inserted):\n%s\nof:\n%s", diff, data)
	}
	if again, err := Mark("app.yaml", pkgtree.NewBlob(got)); err != nil || string(again.Data()) != string(got) {
		t.Fatalf("a second run changes it (%v):\n%s", err, got)
	}
	return true
}

const plainDeployment = `# One of many.
# For tests.
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: shop # ours
  annotations:
    example.com/owner: "team shop"
    example.com/note: see https://example.com/a#b, first
  labels:
    app: web
spec:
  replicas: 2 # for now
  paused: false
  template:
    spec:
      nodeSelector: {}
      containers:
      - name: main
        image: nginx
        args:
        - --port
        - serve
        - 'all of it'
        resources:
          limits:
            memory: 128Mi
        ports:
        - containerPort: 8080
          name: http
      volumes: []
`

// TestPlainMark marks files in the usual form by inserting lines, as parsing does.
func TestPlainMark(t *testing.T) {
	service := "apiVersion: v1\nkind: Service\nmetadata:\n  name: web\nspec:\n  type: ClusterIP\n"
	for name, tc := range map[string]struct {
		text string
		want bool
	}{
		"service":                {service, true},
		"deployment":             {strings.Replace(plainDeployment, "        - --port\n", "", 1), true},
		"unusual item":           {plainDeployment, false},
		"no name":                {strings.Replace(service, "name:", "label:", 1), false},
		"name of a number":       {strings.Replace(service, "name: web", "name: 12", 1), false},
		"name is a word":         {strings.Replace(service, "name: web", "name: no", 1), false},
		"two documents":          {service + "---\n" + service, false},
		"a key twice":            {service + "kind: Service\n", false},
		"a key twice, deeper":    {service + "  type: NodePort\n", false},
		"blank line":             {service + "\n", false},
		"no last line end":       {strings.TrimSpace(service), false},
		"windows":                {strings.ReplaceAll(service, "\n", "\r\n"), false},
		"null":                   {service + "  selector:\n", false},
		"word of YAML 1.1":       {service + "  ok: yes\n", false},
		"octal":                  {service + "  mode: 0644\n", false},
		"date":                   {service + "  day: 2026-11-26\n", false},
		"wide list":              {service + "  ports:\n    - port: 80\n", false},
		"four blanks":            {service + "  selector:\n      app: web\n", false},
		"continued":              {service + "  note: a\n    b\n", false},
		"block":                  {service + "  note: |\n    a\n", false},
		"anchor":                 {service + "  note: &a b\n", false},
		"comment below":          {service + "  # why\n  note: b\n", false},
		"comment far behind":     {service + "  note: b   # why\n", false},
		"Kptfile":                {strings.Replace(service, "Service", "Kptfile", 1), false},
		"list of objects":        {strings.Replace(service, "Service", "ServiceList", 1), false},
		"annotations are a list": {strings.Replace(service, "spec:", "  annotations:\n  - a: b\nspec:", 1), false},
		"of a function":          {strings.Replace(service, "spec:", "  annotations:\n    config.kubernetes.io/index: \"1\"\nspec:", 1), false},
		"annotations are last":   {strings.Replace(service, "spec:", "  annotations:\n    a: b\nspec:", 1), true},
		"metadata is last":       {"kind: A\napiVersion: b/v1\nmetadata:\n  name: web\n  namespace: c\n", true},
		"colon in a key":         {service + "  a:b: c\n", false},
		"empty":                  {"", false},
		"no line":                {"\n", false},
		"comment in metadata":    {strings.Replace(service, "metadata:", "metadata: # mine", 1), false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := checkPlain(t, []byte(tc.text)); got != tc.want {
				t.Errorf("inserted: %v, want %v", got, tc.want)
			}
		})
	}
}

// TestPlainMarkOfRealFiles compares the documents of real manifests.
func TestPlainMarkOfRealFiles(t *testing.T) {
	all, plain := 0, 0
	for _, top := range []string{"../../../examples", "../../../testdata", os.Getenv("WAYBILL_TESTDATA")} {
		_ = filepath.WalkDir(top, func(path string, _ fs.DirEntry, err error) error {
			if data, readErr := os.ReadFile(path); err == nil && readErr == nil && strings.HasSuffix(path, ".yaml") { // #nosec G304 -- a test's own folders
				for _, doc := range krm.Documents(data) {
					all++
					if checkPlain(t, doc) || checkPlain(t, append(doc, "\n"...)) {
						plain++
					}
				}
			}
			return nil
		})
	}
	if t.Logf("%d of %d documents", plain, all); plain < 20 {
		t.Errorf("%d of %d documents are in the usual form", plain, all)
	}
}

// TestPlainMarkOfRandomFiles compares documents whose lines were changed at random.
func TestPlainMarkOfRandomFiles(t *testing.T) {
	random, plain := rand.New(rand.NewPCG(1, 2)), 0 // #nosec G404 -- the same in each run
	pieces := []string{"  ", "- ", "#", " # a", ": ", ":", "'", "\"", "a", "true", "no", "1", "1.5", "~", "\n", "|", "{}", "[]", "&a", "*a", "null:", "? ",
		"    - b: c\n", "  - b\n", "name: x", "metadata:\n", "annotations:\n", "\t", "é", "---\n", "x: y\n", "  x: y\n", "    x: \"y\"\n", "1Mi", "0x1", "<<: "}
	for range 20_000 {
		text := plainDeployment
		for range 1 + random.IntN(3) {
			at := random.IntN(len(text) + 1)
			until := at
			if random.IntN(2) == 0 {
				until = min(len(text), at+random.IntN(12))
			}
			text = text[:at] + pieces[random.IntN(len(pieces))] + text[until:]
		}
		if checkPlain(t, []byte(strings.Replace(text, "        - --port\n", "", 1))) {
			plain++
		}
	}
	if plain < 1000 {
		t.Errorf("only %d of the files are in the usual form", plain)
	}
}

func FuzzPlainMark(f *testing.F) {
	f.Add([]byte(plainDeployment))
	f.Add([]byte(strings.Replace(plainDeployment, "        - --port\n", "", 1)))
	f.Fuzz(func(t *testing.T, data []byte) { checkPlain(t, data) })
}

func BenchmarkMark(b *testing.B) {
	blob := pkgtree.NewBlob([]byte(strings.Replace(plainDeployment, "        - --port\n", "", 1)))
	for name, mark := range map[string]func(string, *pkgtree.Blob) (*pkgtree.Blob, error){"inserted": Mark, "parsed": markParsed} {
		b.Run(fmt.Sprint(name), func(b *testing.B) {
			for b.Loop() {
				if _, err := mark("a.yaml", blob); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
