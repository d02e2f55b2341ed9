package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/waybill-dev/waybill/pkg/catalog"
)

// pipeline is what the packages run: functions that change every object, and those that change some.
var pipeline = []struct{ name, options string }{
	{"set-namespace", "namespace: fleet"},
	{"set-labels", "team: shop"},
	{"set-annotations", "example.com/tier: front"},
	{"set-image", "name: registry.example.com/app\n      newTag: 2.0.0"},
	{"ensure-name-substring", "prepend: eu-"},
}

// kptfile runs the first functions of pipeline: as images that are linked into waybill or that an
// engine has, or as executables.
func (b *bench) kptfile(r row, asImages bool) ([]byte, error) {
	var text strings.Builder
	text.WriteString("apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: bench\n" +
		"  annotations:\n    config.kubernetes.io/local-config: \"true\"\n")
	if r.functions > 0 {
		text.WriteString("pipeline:\n  mutators:\n")
	}
	folder, err := filepath.Abs(b.functions)
	if err != nil {
		return nil, err
	}
	for i := range r.functions {
		f := pipeline[i%len(pipeline)]
		run := "exec: " + filepath.Join(folder, f.name)
		if asImages || r.how == contained {
			run = "image: " + catalog.Image(f.name)
		}
		fmt.Fprintf(&text, "  - %s\n    configMap:\n      %s\n    exclude:\n    - kind: Kptfile\n", run, f.options)
	}
	return []byte(text.String()), nil
}

// files are a package without functions: one Deployment a file, in folders of a hundred.
func files(r row) map[string][]byte {
	files := map[string][]byte{"Kptfile": []byte("apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: bench\n" +
		"  annotations:\n    config.kubernetes.io/local-config: \"true\"\n")}
	for i := range r.objects {
		files[fmt.Sprintf("apps/%02d/app-%04d.yaml", i/100, i)] = fmt.Appendf(nil, deployment, i)
	}
	return files
}

const deployment = `# One of many.
apiVersion: apps/v1
kind: Deployment
metadata:
  name: app-%[1]d
  namespace: shop
  labels:
    app: app-%[1]d
spec:
  replicas: 2 # for now
  selector:
    matchLabels:
      app: app-%[1]d
  template:
    metadata:
      labels:
        app: app-%[1]d
    spec:
      containers:
      - name: main
        image: registry.example.com/app:1.0.0
        env:
        - name: MODE
          value: production
        ports:
        - containerPort: 8080
          name: http
        resources:
          limits:
            memory: 128Mi
          requests:
            cpu: 100m
            memory: 64Mi
`
