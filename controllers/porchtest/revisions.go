package porchtest

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/controllers/clustertest"
)

// group is the API group and version of package revisions.
const group = "porch.kpt.dev/v1alpha1"

// Revision is a PackageRevision, as Porch lists it.
type Revision struct {
	Name, Package, Workspace, Lifecycle string
	Revision                            int64
	Object                              unstructured.Unstructured
}

// Revisions lists the package revisions of a namespace, by name.
func (p *Porch) Revisions(t testing.TB, namespace string) (map[string]Revision, error) {
	list := &unstructured.UnstructuredList{}
	list.SetAPIVersion(group)
	list.SetKind("PackageRevisionList")
	if err := p.Client.List(t.Context(), list, client.InNamespace(namespace)); err != nil {
		return nil, err
	}
	out := map[string]Revision{}
	for _, o := range list.Items {
		out[o.GetName()] = newRevision(o)
	}
	return out, nil
}

func newRevision(o unstructured.Unstructured) Revision {
	text := func(field string) string { s, _, _ := unstructured.NestedString(o.Object, "spec", field); return s }
	n, _, _ := unstructured.NestedInt64(o.Object, "spec", "revision")
	return Revision{o.GetName(), text("packageName"), text("workspaceName"), text("lifecycle"), n, o}
}

// Await waits until Porch lists a revision with this lifecycle, which it may do only when it has read the repository again.
func (p *Porch) Await(t testing.TB, namespace, name, lifecycle string) Revision {
	t.Helper()
	var found Revision
	p.await(t, fmt.Sprintf("list %s as %s", name, lifecycle), func() error {
		revs, err := p.Revisions(t, namespace)
		if err != nil {
			return err
		}
		var ok bool
		if found, ok = revs[name]; ok && found.Lifecycle == lifecycle {
			return nil
		}
		return fmt.Errorf("it lists %v", Lifecycles(revs))
	})
	return found
}

// AwaitGone waits until Porch lists a revision no more.
func (p *Porch) AwaitGone(t testing.TB, namespace, name string) {
	t.Helper()
	p.await(t, "forget "+name, func() error {
		revs, err := p.Revisions(t, namespace)
		if _, ok := revs[name]; ok {
			err = fmt.Errorf("it lists %v", Lifecycles(revs))
		}
		return err
	})
}

// Lifecycles are those of revisions, by name.
func Lifecycles(revs map[string]Revision) map[string]string {
	out := map[string]string{}
	for name, r := range revs {
		out[name] = r.Lifecycle
	}
	return out
}

// SetLifecycle proposes, approves, rejects or proposes the deletion of a revision that is as r says, as porchctl does.
func (p *Porch) SetLifecycle(t testing.TB, r Revision, lifecycle string) error {
	t.Helper()
	return p.update(t, r, func(o *unstructured.Unstructured) error {
		switch is := newRevision(*o).Lifecycle; is {
		case r.Lifecycle:
		case lifecycle: // a request that failed changed it
			return nil
		default:
			return fmt.Errorf("%s is %s and no longer %s", r.Name, is, r.Lifecycle)
		}
		if err := unstructured.SetNestedField(o.Object, lifecycle, "spec", "lifecycle"); err != nil {
			return err
		}
		if lifecycle == "Published" || r.Lifecycle == "Proposed" {
			return p.Client.SubResource("approval").Update(t.Context(), o)
		}
		return p.Client.Update(t.Context(), o)
	})
}

// Delete deletes a revision.
func (p *Porch) Delete(t testing.TB, r Revision) error {
	t.Helper()
	failed := false
	return p.update(t, r, func(o *unstructured.Unstructured) error {
		err := p.Client.Delete(t.Context(), o)
		if failed && apierrors.IsNotFound(err) { // a request that failed deleted it
			return nil
		}
		failed = failed || apierrors.IsInternalError(err)
		return err
	})
}

// update writes a revision. After an error that passes, it reads the revision and tries again.
func (p *Porch) update(t testing.TB, r Revision, write func(*unstructured.Unstructured) error) error {
	o := r.Object.DeepCopy()
	return retry(func() error {
		err := write(o)
		if passes(err) {
			_ = p.Client.Get(t.Context(), client.ObjectKeyFromObject(o), o) // the next try shows whether it is still there
		}
		return err
	})
}

// passes reports whether an error of Porch 1.5.3 passes by itself. Porch may read its clone of a repository while it writes it: that is
// an internal error ("failed to fetch remote repository: ref file is empty"), or what is there is not found for a moment. It refuses a
// write of a revision while another one goes on, or was faster.
func passes(err error) bool {
	return apierrors.IsInternalError(err) || apierrors.IsConflict(err) || apierrors.IsNotFound(err) ||
		err != nil && strings.Contains(err.Error(), "ref file is empty")
}

// retry repeats a request that fails by an error that passes.
func retry(request func() error) (err error) {
	for range 10 {
		if err = request(); !passes(err) {
			return err
		}
		time.Sleep(500 * time.Millisecond)
	}
	return err
}

// read reads the files of a revision.
func (p *Porch) read(t testing.TB, r Revision) (map[string]string, *unstructured.Unstructured, error) {
	o := &unstructured.Unstructured{}
	o.SetAPIVersion(group)
	o.SetKind("PackageRevisionResources")
	if err := p.Client.Get(t.Context(), client.ObjectKey{Namespace: r.Object.GetNamespace(), Name: r.Name}, o); err != nil {
		return nil, nil, err
	}
	files, _, err := unstructured.NestedStringMap(o.Object, "spec", "resources")
	return files, o, err
}

// Resources are the files of a revision.
func (p *Porch) Resources(t testing.TB, r Revision) (files map[string]string, o *unstructured.Unstructured) {
	t.Helper()
	p.await(t, "show the files of "+r.Name, func() (err error) {
		files, o, err = p.read(t, r)
		return err
	})
	return files, o
}

// AwaitFiles waits until a file of a revision has a text.
func (p *Porch) AwaitFiles(t testing.TB, r Revision, file, text string) {
	t.Helper()
	p.await(t, fmt.Sprintf("write %q into %s of %s", text, file, r.Name), func() error {
		files, _, err := p.read(t, r)
		if err == nil && !strings.Contains(files[file], text) {
			err = fmt.Errorf("it holds %s", files[file])
		}
		return err
	})
}

// Clone has Porch clone a revision into a new draft.
func (p *Porch) Clone(t testing.TB, namespace, repository, name, workspace, upstream string) Revision {
	t.Helper()
	o := &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{
		"repository": repository, "packageName": name, "workspaceName": workspace,
		"tasks": []any{map[string]any{"type": "clone", "clone": map[string]any{
			"upstreamRef": map[string]any{"upstreamRef": map[string]any{"name": upstream}}}}},
	}}}
	o.SetAPIVersion(group)
	o.SetKind("PackageRevision")
	o.SetNamespace(namespace)
	if err := retry(func() error { return p.Client.Create(t.Context(), o) }); err != nil {
		t.Fatalf("Porch clones %s: %v", upstream, err)
	}
	return newRevision(*o)
}

// Edit has Porch replace texts in a file of a draft.
func (p *Porch) Edit(t testing.TB, r Revision, file string, oldnew ...string) {
	t.Helper()
	p.Rewrite(t, r, file, strings.NewReplacer(oldnew...).Replace)
}

// Rewrite has Porch change the text of a file of a draft. What others write meanwhile stays.
func (p *Porch) Rewrite(t testing.TB, r Revision, file string, change func(string) string) {
	t.Helper()
	var written *string
	err := retry(func() error {
		files, o, err := p.read(t, r)
		if err != nil || written != nil && *written == files[file] { // a request that failed wrote it
			return err
		}
		written = new(change(files[file]))
		if err := unstructured.SetNestedField(o.Object, *written, "spec", "resources", file); err != nil {
			return err
		}
		return p.Client.Update(t.Context(), o)
	})
	if err != nil {
		t.Fatalf("Porch edits %s of %s: %v", file, r.Name, err)
	}
}

// AwaitReady waits until Porch has read a repository.
func (p *Porch) AwaitReady(t testing.TB, namespace, name string) {
	t.Helper()
	p.await(t, "read Repository "+name, func() error {
		o := clustertest.Empty("config.porch.kpt.dev/v1alpha1", "Repository", namespace, name)
		if err := p.Client.Get(t.Context(), client.ObjectKeyFromObject(o), o); err != nil {
			return err
		}
		conditions, _, err := unstructured.NestedSlice(o.Object, "status", "conditions")
		for _, c := range conditions {
			if c, ok := c.(map[string]any); ok && c["type"] == "Ready" && c["status"] == "True" {
				return nil
			}
		}
		return errors.Join(fmt.Errorf("its conditions are %v", conditions), err)
	})
}
