package mapcontroller_test

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/waybill-dev/waybill/controllers/clustertest"
)

type object = unstructured.Unstructured

func empty(apiVersion, kind, namespace, name string) *object {
	return clustertest.Empty(apiVersion, kind, namespace, name)
}

func (w *environment) objects() *clustertest.Objects {
	return &clustertest.Objects{TB: w, Client: w.Client, TestNamespace: w.namespace, ClusterScoped: []string{"MapController", "Fleet"}}
}

func (w *environment) read(text string) *object { return w.objects().Parse(text) }
func (w *environment) put(text string)          { w.objects().Put(text) }
func (w *environment) putObject(o *object)      { w.objects().PutObject(o) }
func (w *environment) remove(apiVersion, kind, name string) {
	w.objects().Remove(apiVersion, kind, name)
}
func (w *environment) home(kind string) string       { return w.objects().NamespaceOf(kind) }
func (w *environment) clear(apiVersion, kind string) { w.objects().Clear(apiVersion, kind, "") }
func (w *environment) list(apiVersion, kind, namespace string) []object {
	return w.objects().All(apiVersion, kind, namespace)
}
func (w *environment) edit(apiVersion, kind, name, mergePatch string) {
	w.objects().Edit(apiVersion, kind, name, mergePatch)
}
