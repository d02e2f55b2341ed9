package kustomize

import (
	"context"
	"fmt"
	"path"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// building is held during a build: the library reads and writes global variables.
var building = make(chan struct{}, 1)

// maxOutput bounds the bytes of all objects of a build.
const maxOutput = 256 << 20

// build builds the kustomization in the folder of the options from what was read.
func build(ctx context.Context, from *inputs, opts options) ([]*krm.Object, error) {
	files := filesys.MakeFsInMemory()
	for name, data := range from.read {
		if err := files.WriteFile(path.Join("/", name), data); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	select {
	case building <- struct{}{}:
		defer func() { <-building }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	k := krusty.MakeKustomizer(&krusty.Options{
		Reorder:          krusty.ReorderOptionUnspecified,
		LoadRestrictions: opts.restrictions(),
		PluginConfig:     types.DisabledPluginConfig(), // linked plugins only: no program, no container, no Helm
	})
	built, err := k.Run(files, path.Join("/", opts.Path))
	if err != nil {
		return nil, err
	}
	return objectsOf(built)
}

func objectsOf(built resmap.ResMap) (objects []*krm.Object, err error) {
	size := 0
	for _, r := range built.Resources() {
		text, err := r.AsYAML()
		if err != nil {
			return nil, err
		}
		if size += len(text); size > maxOutput {
			return nil, fmt.Errorf("it gives more than the %d bytes allowed", maxOutput)
		}
		objs, err := krm.Read(r.CurId().String(), text, krm.Limits{})
		if err != nil {
			return nil, err
		}
		for _, o := range objs {
			o.Source = krm.Source{}
			o.RemoveAnnotations(krm.IsOrchestration)
		}
		objects = append(objects, objs...)
	}
	return objects, nil
}
