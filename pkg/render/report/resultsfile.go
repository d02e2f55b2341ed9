package report

import (
	"fmt"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	fnresult "github.com/kptdev/kpt/api/fnresult/v1"
	"sigs.k8s.io/kustomize/kyaml/fn/framework"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/render"
)

// ResultsFile is kpt's results file: what the functions of steps reported, and whether the render failed.
func ResultsFile(steps []render.Step, failed bool) ([]byte, error) {
	list := fnresult.NewResultList()
	if failed {
		list.ExitCode = 1
	}
	for i := range steps {
		list.Items = append(list.Items, resultOf(&steps[i]))
	}
	return yaml.MarshalWithOptions(list, &yaml.EncoderOptions{SeqIndent: yaml.WideSequenceStyle})
}

// resultOf is what the function of s reported. If its output is refused, the last result says why.
func resultOf(s *render.Step) fnresult.Result {
	results := entries(s.Results)
	if s.Refused {
		results = append(results, fnresult.ResultItem{Message: s.Err.Error(), Severity: framework.Error})
	}
	return fnresult.Result{Image: s.Image, ExecPath: s.Exec, Stderr: s.Stderr, ExitCode: exitCode(s), Results: results}
}

// exitCode is that of the function. It is 1 when the function exited with 0 but its output is not valid.
func exitCode(s *render.Step) int {
	if s.Err != nil && s.ExitCode == 0 {
		return 1
	}
	return s.ExitCode
}

func entries(results sdk.Results) (entries []fnresult.ResultItem) {
	for _, r := range results {
		entries = append(entries, entry(r))
	}
	return entries
}

func entry(r *sdk.Result) fnresult.ResultItem {
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

// text is a value of a result's field, "" when there is none.
func text(v any) string {
	if v == nil {
		return ""
	}
	return fmt.Sprint(v)
}
