package mergetest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

const benchDeployment = `# The frontend.
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web-%[1]d
  namespace: shop
  labels:
    app: web
spec:
  replicas: 1
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:
      containers:
      - name: web
        image: reg.example/web:v1 # kpt-set: ${image}
        args: ["--port", "8080"]
        env:
        - name: MODE
          value: fast
        - name: LEVEL
          value: info
        ports:
        - containerPort: 8080
          protocol: TCP
        resources:
          limits:
            cpu: 100m
            memory: 100Mi
        readinessProbe:
          httpGet:
            path: /ready
            port: 8080
      - name: proxy
        image: reg.example/proxy:v3
      volumes:
      - name: data
        emptyDir: {}
`

// BenchTrees returns n Deployments, one per file, each changed upstream and locally in different places.
func BenchTrees(t testing.TB, n int) (base, theirs, ours pkgtree.Tree) {
	t.Helper()
	edit := func(pairs ...string) pkgtree.Tree {
		files := map[string][]byte{"Kptfile": []byte(PlainKptfile)}
		for i := range n {
			text := strings.NewReplacer(pairs...).Replace(fmt.Sprintf(benchDeployment, i))
			files[fmt.Sprintf("apps/%03d/web-%d.yaml", i%100, i)] = []byte(text)
		}
		out, err := pkgtree.New(files)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	return edit(), edit("web:v1", "web:v2", "value: info", "value: warn"),
		edit("replicas: 1", "replicas: 4", "      volumes:", "      - name: side\n        image: s:1\n      volumes:")
}
