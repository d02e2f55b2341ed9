package inventory_test

import (
	"context"
	"errors"
	"os"
	"testing"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	ctrllog "sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/waybill-dev/waybill/controllers/clustertest"
	"github.com/waybill-dev/waybill/pkg/api/waybill"
)

func TestMain(m *testing.M) {
	ctrllog.SetLogger(logr.Discard())
	os.Exit(m.Run())
}

// flaky is a client whose writes fail from a point on: before or after they were carried out.
type flaky struct {
	client.Client
	writes, at int // two points for each write; 0: never
}

var errKilled = errors.New("killed")

func (f *flaky) write(do func() error) error {
	if f.writes++; f.at > 0 && f.writes >= f.at {
		return errKilled
	}
	err := do()
	if f.writes++; f.at > 0 && f.writes >= f.at {
		return errKilled
	}
	return err
}

func (f *flaky) Create(ctx context.Context, o client.Object, options ...client.CreateOption) error {
	return f.write(func() error { return f.Client.Create(ctx, o, options...) })
}

func (f *flaky) Update(ctx context.Context, o client.Object, options ...client.UpdateOption) error {
	return f.write(func() error { return f.Client.Update(ctx, o, options...) })
}

func (f *flaky) Delete(ctx context.Context, o client.Object, options ...client.DeleteOption) error {
	return f.write(func() error { return f.Client.Delete(ctx, o, options...) })
}

func newClient(t testing.TB) (*flaky, types.NamespacedName) {
	t.Helper()
	c := clustertest.Shared(t)
	c.InstallCRDs(t, "../../manifests/crds")
	scheme := runtime.NewScheme()
	if err := errors.Join(corev1.AddToScheme(scheme), waybill.AddToScheme(scheme)); err != nil {
		t.Fatal(err)
	}
	by, err := client.New(c.Admin(), client.Options{Scheme: scheme})
	if err != nil {
		t.Fatal(err)
	}
	return &flaky{Client: by}, types.NamespacedName{Namespace: c.Namespace(t), Name: "lab"}
}
