package main

import (
	"fmt"
	"os"
	"path/filepath"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	fnresult "github.com/kptdev/kpt/api/fnresult/v1"
	"sigs.k8s.io/kustomize/kyaml/fn/framework"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/render"
)

// writeResults writes results.yaml in kpt's form. A failure of any kind makes its exit code 1, be
// it of a function, of what it printed, or of writing the package.
func writeResults(dir string, steps []render.Step, failure error) error {
	list := fnresult.NewResultList()
	if failure != nil {
		list.ExitCode = exitFailed
	}
	for i := range steps {
		list.Items = append(list.Items, resultItem(&steps[i]))
	}
	data, err := yaml.MarshalWithOptions(list, &yaml.EncoderOptions{SeqIndent: yaml.WideSequenceStyle})
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil { // #nosec G301 -- results are for everyone to read
		return err
	}
	return os.WriteFile(filepath.Join(dir, "results.yaml"), data, 0o644) // #nosec G306 -- as above
}

// resultItem is one step. A step that failed although its function did not, because of what it
// printed, counts as failed.
func resultItem(s *render.Step) fnresult.Result {
	item := fnresult.Result{Image: s.Image, ExecPath: s.Exec, Stderr: s.Stderr, ExitCode: s.ExitCode}
	if s.Err != nil && item.ExitCode == 0 {
		item.ExitCode = exitFailed
	}
	for _, r := range s.Results {
		item.Results = append(item.Results, resultEntry(r))
	}
	return item
}

func resultEntry(r *sdk.Result) fnresult.ResultItem {
	out := fnresult.ResultItem{Message: r.Message, Severity: framework.Severity(r.Severity), Tags: r.Tags}
	if ref := r.ResourceRef; ref != nil {
		out.ResourceRef = &yaml.ResourceIdentifier{
			TypeMeta: yaml.TypeMeta{APIVersion: ref.APIVersion, Kind: ref.Kind},
			NameMeta: yaml.NameMeta{Name: ref.Name, Namespace: ref.Namespace},
		}
	}
	if f := r.Field; f != nil {
		out.Field = &fnresult.Field{Path: f.Path, CurrentValue: text(f.CurrentValue), ProposedValue: text(f.ProposedValue)}
	}
	if f := r.File; f != nil {
		out.File = &framework.File{Path: f.Path, Index: f.Index}
	}
	return out
}

// text is a value of a result's field as a string, "" when there is none.
func text(v any) string {
	if v == nil {
		return ""
	}
	return fmt.Sprint(v)
}
