package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	fnresult "github.com/kptdev/kpt/api/fnresult/v1"
	"sigs.k8s.io/kustomize/kyaml/fn/framework"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/render"
)

// renderProgress tells what a render does, in the words of kpt.
type renderProgress struct {
	out   io.Writer
	began time.Time
}

func (p *renderProgress) observe(e render.Event) {
	switch {
	case e.Step == nil:
		fmt.Fprintf(p.out, "Package %q:\n", e.Package)
	case !e.Done:
		p.began = time.Now()
		on := ""
		if e.Step.Selected >= 0 {
			on = fmt.Sprintf(" on %d resource(s)", e.Step.Selected)
		}
		fmt.Fprintf(p.out, "[RUNNING] %q%s (%s)\n", e.Step.Title(), on, e.Step.Runner)
	default:
		p.done(e.Step)
	}
}

func (p *renderProgress) done(s *render.Step) {
	word := "PASS"
	if s.Err != nil {
		word = "FAIL"
	}
	fmt.Fprintf(p.out, "[%s] %q in %s\n", word, s.Title(), time.Since(p.began).Round(100*time.Millisecond))
	if len(s.Results) > 0 {
		fmt.Fprintln(p.out, "  Results:")
	}
	for _, r := range s.Results {
		fmt.Fprintf(p.out, "    %s\n", fn.FormatResult(r))
		if r.Severity == sdk.Error && s.Err == nil {
			fmt.Fprintf(p.out, "    [warning]: %q reported an error and exited with status 0, which passes\n", s.Title())
		}
	}
	if s.Err != nil && s.Stderr != "" {
		fmt.Fprintf(p.out, "  Stderr:\n    %s\n", strings.ReplaceAll(strings.TrimSpace(s.Stderr), "\n", "\n    "))
	}
	if s.Err != nil && s.ExitCode != 0 {
		fmt.Fprintf(p.out, "  Exit code: %d\n", s.ExitCode)
	}
}

func (p *renderProgress) summary(functions, packages int) {
	fmt.Fprintf(p.out, "Successfully executed %d function(s) in %d package(s).\n", functions, packages)
}

// writeResults writes results.yaml in kpt's form.
func writeResults(dir string, steps []render.Step, failure error) error {
	list := fnresult.NewResultList()
	if failure != nil {
		list.ExitCode = exitFailed
	}
	for i := range steps {
		list.Items = append(list.Items, resultItem(&steps[i]))
	}
	data, err := yaml.Marshal(list)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil { // #nosec G301
		return err
	}
	return os.WriteFile(filepath.Join(dir, "results.yaml"), data, 0o644) // #nosec G306
}

func resultItem(s *render.Step) fnresult.Result {
	item := fnresult.Result{Image: s.Image, ExecPath: s.Exec, Stderr: s.Stderr, ExitCode: s.ExitCode}
	for _, r := range s.Results {
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
		item.Results = append(item.Results, out)
	}
	return item
}

// text is a value of a result's field as a string, "" when there is none.
func text(v any) string {
	if v == nil {
		return ""
	}
	return fmt.Sprint(v)
}
