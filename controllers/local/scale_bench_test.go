package local_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/revision"
	"github.com/waybill-dev/waybill/pkg/variant/reconciler"
)

// scaled is a fleet of n variants of a package of 20 objects, one function in its pipeline and one
// that every variant adds.
func scaled(b *testing.B, n int) *fleet {
	b.Helper()
	f := fleetOf(b, n)
	for i := range n { // each renders to files of its own
		f.edit(fmt.Sprintf("v%03d.yaml", i), "revision: 1", "follow: latest", "region: eu", fmt.Sprintf("region: r%03d", i),
			"image: example.com/note:v1\n      name: region", "image: example.com/set-labels:v1\n      name: region")
	}
	files := map[string]*string{}
	for i := range 18 { // beside app.yaml and site.yaml
		files[fmt.Sprintf("shop/part-%02d.yaml", i)] = text(part(i))
	}
	f.release(2, files)
	gittest.Git(b, f.path("blueprints.git"), "tag", "-f", "shop/v1", "shop/v2")
	gittest.Git(b, f.path("blueprints.git"), "tag", "-d", "shop/v2")
	return f
}

// part is a Deployment of a usual size.
func part(i int) string {
	return strings.ReplaceAll(`apiVersion: apps/v1
kind: Deployment
metadata:
  name: part-N # one of many
  labels:
    app: part-N
spec:
  replicas: 2
  selector:
    matchLabels:
      app: part-N
  template:
    metadata:
      labels:
        app: part-N
    spec:
      containers:
      - name: main
        image: registry.example/part-N:1.4.2
        ports:
        - containerPort: 8080
        env:
        - name: LEVEL
          value: info
        resources:
          requests:
            cpu: 100m
            memory: 64Mi
`, "N", fmt.Sprint(i))
}

// publish proposes and approves every draft, as a person would with 'waybill rpkg'.
func (f *fleet) publishAll() {
	f.Helper()
	f.open(nil)
	repo, err := f.repos.Repository(ctx, "fleet", "deployments")
	if err != nil {
		f.Fatal(err)
	}
	for _, op := range []revision.Op{revision.OpPropose, revision.OpApprove} {
		revs, err := repo.Store.List()
		if err != nil {
			f.Fatal(err)
		}
		var changes []revision.Change
		for _, rev := range revs {
			if rev.Revision == 0 {
				changes = append(changes, revision.Change{Op: op, Revision: rev})
			}
		}
		if _, err := repo.ForUsers.ChangeAll(ctx, changes, revision.Stamp{}); err != nil {
			f.Fatal(err)
		}
	}
}

// BenchmarkScale is a whole reconcile of many variants of a package of 20 objects, from reading the
// files to the report: all drafts made from nothing; nothing to do; all published packages brought to
// a new upstream. changed is what a controller does that is running already when one of them changes.
func BenchmarkScale(b *testing.B) {
	for _, n := range []int{1, 10, 100, 1000} {
		if testing.Short() && n > 100 {
			break
		}
		b.Run(fmt.Sprintf("drafts=%d", n), func(b *testing.B) {
			f := scaled(b, n)
			f.repeat(b, reconciler.Created)
		})
		b.Run(fmt.Sprintf("unchanged=%d", n), func(b *testing.B) {
			f := scaled(b, n)
			check(b, reconciler.Created, f.reconcile())
			for b.Loop() {
				check(b, reconciler.Unchanged, f.reconcile())
			}
		})
		b.Run(fmt.Sprintf("upgraded=%d", n), func(b *testing.B) {
			f := scaled(b, n)
			check(b, reconciler.Created, f.reconcile())
			f.publishAll()
			f.release(2, map[string]*string{"shop/part-03.yaml": text(strings.Replace(part(3), "replicas: 2", "replicas: 3", 1))})
			f.repeat(b, reconciler.Created)
		})
		b.Run(fmt.Sprintf("changed=1of%d", n), func(b *testing.B) {
			f := scaled(b, n)
			in, r := f.open(nil)
			check(b, reconciler.Created, all(in, r))
			pv := in.Variants[n/2]
			for i := 0; b.Loop(); i++ {
				pv.Spec.PackageContext.Data["region"] = fmt.Sprint("r", i)
				check(b, reconciler.Updated, r.ReconcileAll(ctx, []*porchconfig.PackageVariant{pv}, nil))
			}
		})
	}
}

// repeat reconciles again and again from the same beginning.
func (f *fleet) repeat(b *testing.B, want reconciler.Action) {
	beginning := f.path("beginning")
	if err := os.CopyFS(beginning, os.DirFS(f.path("deployments.git"))); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		b.StopTimer()
		c := crash{fleet: f}
		c.begin()
		b.StartTimer()
		check(b, want, f.reconcile())
	}
}
