package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/tools/pager"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/render"
	"github.com/waybill-dev/waybill/pkg/status/reports"
)

// readObjects reads the objects in files, in the resource files of folders, and on stdin for "-".
func readObjects(paths []string, stdin io.Reader) (out []*krm.Object, err error) {
	for _, path := range paths {
		items, err := readPlace(path, stdin)
		if err != nil {
			return nil, err
		}
		for _, o := range items {
			for _, part := range parts(o) {
				part.SetPath(part.File(), part.Index()) // what is said about it names the file
				out = append(out, part)
			}
		}
	}
	return out, nil
}

func readPlace(path string, stdin io.Reader) ([]*krm.Object, error) {
	if path == "-" {
		return readStream("stdin", stdin)
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		return readStream(path, f)
	}
	tree, err := pkgtree.ReadDir(path, render.InputFiles)
	if err != nil {
		return nil, err
	}
	items, err := render.ReadFolder(tree, krm.Limits{})
	if err != nil {
		return nil, fmt.Errorf("folder %q: %w", path, err)
	}
	return items, nil
}

func readStream(name string, r io.Reader) ([]*krm.Object, error) {
	data, err := io.ReadAll(io.LimitReader(r, int64(krm.DefaultLimits.Bytes)+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return krm.Read(name, data, krm.Limits{})
}

// parts are the objects in a List as kubectl prints it, or o alone.
func parts(o *krm.Object) []*krm.Object {
	items := o.Lookup("items")
	if o.APIVersion() != "v1" || o.Kind() != "List" || items == nil || items.Kind != yaml.SequenceNode {
		return []*krm.Object{o}
	}
	var out []*krm.Object
	for _, n := range items.Content {
		if n = krm.Deref(n); n.Kind == yaml.MappingNode {
			part := krm.FromNode(krm.SelfContained(n))
			part.Source = o.Source
			out = append(out, part)
		}
	}
	return out
}

func isReport(o *krm.Object) bool { return reports.Reports(o.Group(), o.Kind()) }

// reporting are the resources of a hub that report.
var reporting = []schema.GroupVersionResource{
	{Group: control.Group, Version: control.Version, Resource: "workstatuses"},
	{Group: "work.open-cluster-management.io", Version: "v1", Resource: "manifestworks"},
}

// askHub lists what reports. A kind that the hub does not have is said, and left out.
func (s *fleetStatus) askHub(ctx context.Context, talk io.Writer) (out []*krm.Object, err error) {
	cfg, err := untilEnd(ctx, s.hub.config)
	if err != nil {
		return nil, err
	}
	client, err := dynamic.NewForConfig(cfg)
	if err != nil {
		return nil, err
	}
	lacking := 0
	for _, resource := range reporting {
		found, err := listAll(ctx, client.Resource(resource).Namespace(s.namespace))
		switch {
		case apierrors.IsNotFound(err):
			lacking++
			fmt.Fprintf(talk, "the hub does not know %s\n", resource.GroupResource())
		case err != nil:
			return nil, fmt.Errorf("list %s: %w", resource.GroupResource(), err)
		}
		out = append(out, found...)
	}
	if lacking == len(reporting) {
		return nil, errors.New("the cluster is no hub: nothing reports there")
	}
	return out, nil
}

// listAll lists objects, a page at a time.
func listAll(ctx context.Context, from dynamic.ResourceInterface) (out []*krm.Object, err error) {
	pages := pager.New(func(ctx context.Context, opts metav1.ListOptions) (runtime.Object, error) {
		return from.List(ctx, opts)
	})
	err = pages.EachListItem(ctx, metav1.ListOptions{}, func(item runtime.Object) error {
		n, err := krm.NodeOf(item.(*unstructured.Unstructured).Object)
		if err == nil {
			out = append(out, krm.FromNode(n))
		}
		return err
	})
	return out, err
}
