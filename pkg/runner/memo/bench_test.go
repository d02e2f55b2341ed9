package memo

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/catalog"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/runner/inproc"
)

// deployments is n objects, each the text of a file.
func deployments(n int) (texts []string) {
	for i := range n {
		texts = append(texts, fmt.Sprintf(`# web number %[1]d
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web-%[1]d
  labels: {app: web, tier: front}
spec:
  replicas: 3 # per cluster
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:
      # the one and only
      containers:
      - name: web
        image: nginx:1.27 # pinned
        ports:
        - containerPort: 8080
          name: http
        env:
        - name: NUMBER
          value: "%[1]d"
        resources:
          limits:
            cpu: 500m
            memory: 128Mi
      serviceAccountName: web
`, i))
	}
	return texts
}

func inputOf(b *testing.B, texts []string) *fn.Input {
	in := input(b, "", "shop")
	for i, text := range texts {
		o := fntest.Parse(b, fmt.Sprintf("web-%d.yaml", i), []byte(text))[0]
		o.SetPath(fmt.Sprintf("web-%d.yaml", i), 0)
		in.Items = append(in.Items, o)
	}
	return in
}

// BenchmarkHit is a run whose answer is known, for a function that changes every item and one that
// changes none; beside it what a hit is measured by: to read and hash the files, to run the function
// linked in, and to run it as a program, without what it costs to start one.
func BenchmarkHit(b *testing.B) {
	for _, n := range []int{10, 100, 1000} {
		texts := deployments(n)
		in := inputOf(b, texts)
		bench := func(name string, run func()) {
			b.Run(fmt.Sprintf("resources=%d/%s", n, name), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					run()
				}
			})
		}
		bench("read-and-hash", readAndHash(b, texts))
		for name, answer := range map[string]func(string) (string, string, int){
			"all-changed": linked("set-namespace"), "none-changed": cat(func(s string) string { return s }),
		} {
			p := &program{answer: answer, name: "f@1"}
			r := open(b, b.TempDir()+"/cache", 0).Wrap(p)
			if diff := cmp.Diff(try(b, p, in), try(b, r, in)); diff != "" {
				b.Fatal(diff)
			}
			bench(name+"/hit", func() { try1(b, r.Run, in) })
			bench(name+"/program", func() { try1(b, p.Run, in) })
		}
		bench("all-changed/linked", func() { try1(b, inproc.New(catalog.ByName("set-namespace")).Run, in) })
	}
}

func try1[T any](b *testing.B, run func(context.Context, *fn.Input) (T, error), in *fn.Input) {
	if _, err := run(context.Background(), in); err != nil {
		b.Fatal(err)
	}
}

func readAndHash(b *testing.B, texts []string) func() {
	dir := b.TempDir()
	var files []string
	for i, text := range texts {
		files = append(files, filepath.Join(dir, fmt.Sprintf("web-%d.yaml", i)))
		if err := os.WriteFile(files[i], []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	return func() {
		h := sha256.New()
		for _, f := range files {
			data, err := os.ReadFile(f)
			if err != nil {
				b.Fatal(err)
			}
			h.Write(data)
		}
		h.Sum(nil)
	}
}
