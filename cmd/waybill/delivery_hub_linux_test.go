package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	workv1 "open-cluster-management.io/api/work/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// watchWorks follows the works on the hub, which come first as they are now.
func (d *delivery) watchWorks() (updates <-chan watch.Event, stop func()) {
	d.Helper()
	c, err := client.NewWithWatch(d.hub.Admin(), client.Options{Scheme: d.hub.Client.Scheme()})
	if err != nil {
		d.Fatal(err)
	}
	w, err := c.Watch(d.Context(), &workv1.ManifestWorkList{})
	if err != nil {
		d.Fatal(err)
	}
	return w.ResultChan(), w.Stop
}

// awaitWorks waits until as many works as there are clusters have the image.
func awaitWorks(t testing.TB, updates <-chan watch.Event, image string) {
	t.Helper()
	have, late := map[string]bool{}, time.After(10*time.Minute)
	for len(have) < benchClusters {
		select {
		case e := <-updates:
			if w, ok := e.Object.(*workv1.ManifestWork); ok && strings.Contains(manifestTexts(w), `"image":"`+image+`"`) {
				have[w.Namespace+"/"+w.Name] = true
			}
		case <-late:
			t.Fatalf("only %d works have the image %s", len(have), image)
		}
	}
}

// manifestTexts are the objects of a work, as JSON; a benchmark's work has all of its cluster.
func manifestTexts(w *workv1.ManifestWork) (text string) {
	if n := len(w.Spec.Workload.Manifests); n != benchObjects {
		return fmt.Sprintf("%d objects", n)
	}
	for _, m := range w.Spec.Workload.Manifests {
		text += string(m.Raw)
	}
	return text
}

// pretendApplied writes the status that agents write when they have applied all works, and waits until Flux has seen it.
func (d *delivery) pretendApplied() {
	d.Helper()
	list := &workv1.ManifestWorkList{}
	if err := d.hub.Client.List(d.Context(), list); err != nil {
		d.Fatal(err)
	}
	for _, w := range list.Items {
		w.Status.Conditions = []metav1.Condition{{Type: workv1.WorkApplied, Status: metav1.ConditionTrue, Reason: "AppliedManifestWorkComplete",
			ObservedGeneration: w.Generation, LastTransitionTime: metav1.Now()}}
		if err := d.hub.Client.Status().Update(d.Context(), &w); err != nil {
			d.Fatal(err)
		}
	}
	d.flux.Await(d, d.published())
}
