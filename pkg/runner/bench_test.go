package runner

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// deployments is n objects of about 40 lines, with comments, each in a file of its own.
func deployments(t testing.TB, n int) (items []*krm.Object) {
	for i := range n {
		o := fntest.Parse(t, fmt.Sprintf("apps/web-%d.yaml", i), fmt.Appendf(nil, `# web number %[1]d
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web-%[1]d
  namespace: shop
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
        - containerPort: 9090
          name: metrics
        env:
        - name: NUMBER
          value: "%[1]d"
        - name: MODE
          value: production
        resources:
          limits:
            cpu: 500m
            memory: 128Mi
          requests:
            cpu: 100m
            memory: 64Mi
        readinessProbe:
          httpGet:
            path: /ready
            port: http
      serviceAccountName: web
`, i))[0]
		o.SetPath(o.File(), 0)
		items = append(items, o)
	}
	return items
}

// changing prints its input with every nth object changed, none for n 0.
func changing(nth int) func(list string) string {
	return func(list string) string {
		var out strings.Builder
		for i, item := range strings.SplitAfter(list, "replicas: ") {
			if nth > 0 && i > 0 && (i-1)%nth == 0 {
				item = "4" + item[1:]
			}
			out.WriteString(item)
		}
		return out.String()
	}
}

// reprinting prints its input as a program would that decodes and encodes everything: without comments,
// keys in order of the alphabet.
func reprinting(t testing.TB) func(list string) string {
	return func(list string) string {
		l, err := fn.ParseList([]byte(list))
		if err != nil {
			t.Fatal(err)
		}
		for i, o := range l.Items {
			v, err := krm.Value(o.Node())
			if err != nil {
				t.Fatal(err)
			}
			if l.Items[i], err = krm.FromTyped(v); err != nil {
				t.Fatal(err)
			}
		}
		data, err := l.Write()
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
}

// once is a process that has its answer ready from the second time on.
func once(answer func(string) string) Process {
	var asked, answered []byte
	return func(_ context.Context, stdin []byte) ([]byte, []byte, int, error) {
		if asked == nil {
			asked, answered = bytes.Clone(stdin), []byte(answer(string(stdin)))
		}
		if !bytes.Equal(asked, stdin) {
			return nil, nil, 0, fmt.Errorf("the same items were written in two ways")
		}
		return answered, nil, 0, nil
	}
}

// BenchmarkExchange is the hand-over alone: the process costs nothing.
func BenchmarkExchange(b *testing.B) {
	for _, n := range []int{10, 100, 1000, 5000} {
		items := deployments(b, n)
		for _, c := range []struct {
			name    string
			answer  func(string) string
			changed int
		}{
			{"changed=0%", changing(0), 0},
			{"changed=10%", changing(10), (n + 9) / 10},
			{"changed=100%", changing(1), n},
			{"reprinted", reprinting(b), 0},
		} {
			b.Run(fmt.Sprintf("%s/resources=%d", c.name, n), func(b *testing.B) {
				run := once(c.answer)
				checkChanged(b, items, mustExchange(b, items, run), c.changed)
				b.ReportAllocs()
				for b.Loop() {
					mustExchange(b, items, run)
				}
				b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "resources/s")
			})
		}
	}
}

func mustExchange(t testing.TB, items []*krm.Object, run Process) []*krm.Object {
	out, err := Exchange(context.Background(), &fn.Input{Items: items}, run)
	if err != nil {
		t.Fatal(err)
	}
	return out.Items
}

// checkChanged holds that so many items changed, that they kept their form, and that the others are
// those that were given.
func checkChanged(t testing.TB, in, out []*krm.Object, want int) {
	changed := 0
	for i, o := range out {
		if o == in[i] {
			continue
		}
		changed++
		before, err := krm.WriteRaw(in[i])
		if err != nil {
			t.Fatal(err)
		}
		after, err := krm.WriteRaw(o)
		if err != nil {
			t.Fatal(err)
		}
		if string(after) != strings.Replace(string(before), "replicas: 3", "replicas: 4", 1) {
			t.Fatalf("item %d lost its form:\n%s", i, after)
		}
	}
	if len(in) != len(out) || changed != want {
		t.Fatalf("%d of %d items changed, want %d of %d", changed, len(out), want, len(in))
	}
}
