package setlabels

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/mutators/edit"
)

// V01 is set-labels as the catalogue's v0.1 works, by kustomize's common labels: it labels local configuration, too, creates
// missing templates, and adds every label to each selector that it finds.
var V01 = &fn.Function{Name: functionName, Kind: configKind, Doc: Function.Doc, Run: runV01}

func runV01(ctx context.Context, in *fn.Input) (*fn.Output, error) {
	opts, err := readOptions(in.Config)
	if err != nil {
		return nil, err
	}
	all := edit.NewTextMap(opts.Labels, edit.KeepQuotes)
	additional := opts.additional()
	return edit.Each(ctx, in, edit.ReachOf("spec").Along(additional), func(o *yaml.RNode) error {
		standard := othersV01
		if o.GetApiVersion() == "v1" {
			standard = coreV01
		}
		return cmp.Or(
			edit.AtFields(ctx, o, additional, yaml.MappingNode, all.Set),
			edit.AtFields(ctx, o, standard(), yaml.MappingNode, all.Set),
		)
	})
}

const (
	templateLabels = "spec/template/metadata/labels"
	jobLabels      = "spec/jobTemplate/metadata/labels"
	jobPodLabels   = "spec/jobTemplate/spec/template/metadata/labels"
	claimLabels    = "spec/volumeClaimTemplates[]/metadata/labels"
)

// coreV01 and othersV01 are the maps that get every label, of kinds in the core group and in others.
var (
	coreV01 = sync.OnceValue(func() types.FsSlice {
		return append(slices.Clone(core.labels), made("", "ReplicationController", templateLabels))
	})
	othersV01 = sync.OnceValue(func() types.FsSlice {
		return slices.Concat(others.labels, types.FsSlice{
			made("", "Deployment", templateLabels),
			made("", "ReplicaSet", templateLabels),
			made("", "DaemonSet", templateLabels),
			made("apps", "StatefulSet", templateLabels),
			made("apps", "StatefulSet", claimLabels),
			made("batch", "Job", templateLabels),
			made("batch", "CronJob", jobLabels),
			made("batch", "CronJob", jobPodLabels),
		}, selectorsOfOthers, podSelectors("apps", "Deployment", "spec/template/spec"), podSelectors("apps", "StatefulSet", "spec/template/spec"))
	})
)
