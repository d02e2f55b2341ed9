package cel_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/cel-go/cel"

	celbound "github.com/waybill-dev/waybill/pkg/cel"
)

// BenchmarkLibrary sets our bounds beside those of the library: decision 17 quotes it. "unbounded" is the library alone,
// "tracked" is the library with its own limit on cost, "ours" is this package.
func BenchmarkLibrary(b *testing.B) {
	vars := map[string]any{"obj": map[string]any{"spec": map[string]any{"replicas": int64(3)}, "status": map[string]any{"readyReplicas": int64(2)}}}
	const text = "obj.spec.replicas == obj.status.readyReplicas && obj.spec.replicas > 0"
	language := []cel.EnvOption{cel.Variable("obj", cel.DynType)}
	env, err := cel.NewEnv(language...)
	if err != nil {
		b.Fatal(err)
	}
	ast, issues := env.Compile(text)
	if issues.Err() != nil {
		b.Fatal(issues.Err())
	}
	for name, options := range map[string][]cel.ProgramOption{"unbounded": nil, "tracked": {cel.CostLimit(celbound.MaxCost)}} {
		program, err := env.Program(ast, options...)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if v, _, err := program.Eval(vars); err != nil || v.Value() != false {
					b.Fatal(v, err)
				}
			}
		})
	}
	b.Run("ours", func(b *testing.B) {
		mine, err := celbound.New(celbound.Options{Language: language})
		if err != nil {
			b.Fatal(err)
		}
		program, err := mine.Compile(text)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportAllocs()
		for b.Loop() {
			if v, err := program.Eval(b.Context(), celbound.NewVars(vars), celbound.MaxCost); err != nil || v.Value() != false {
				b.Fatal(v, err)
			}
		}
	})
}

// BenchmarkLibraryCheck has the library check a loop in a loop in a loop, each of which doubles a type. No option bounds that.
func BenchmarkLibraryCheck(b *testing.B) {
	env, err := cel.NewEnv()
	if err != nil {
		b.Fatal(err)
	}
	for _, loops := range []int{4, 6, 8, 10} {
		b.Run("loops="+strconv.Itoa(loops), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, issues := env.Compile("[1]" + strings.Repeat(".map(a,{a:a})", loops)); issues.Err() != nil {
					b.Fatal(issues.Err())
				}
			}
		})
	}
}
