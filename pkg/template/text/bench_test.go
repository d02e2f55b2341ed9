package text_test

import (
	"testing"

	"github.com/waybill-dev/waybill/pkg/template/text"
)

func BenchmarkExecute(b *testing.B) {
	compiled, err := text.Compile("template", `https://{{ .Object.spec.host | lower }}/{{ .Object.metadata.name | sha3short }}`)
	if err != nil {
		b.Fatal(err)
	}
	d := data(b)
	if got, err := compiled.Execute(b.Context(), d); err != nil || got.Trimmed != "https://shop.example.org/fe3e9668e34e13e2a6cd" {
		b.Fatal(got, err)
	}
	b.ReportAllocs()
	for b.Loop() {
		compiled.Execute(b.Context(), d)
	}
}

func BenchmarkCompile(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		text.Compile("template", `{{ .Object.metadata.namespace | sha3short }}-{{ .Object.metadata.name | sha3short }}`)
	}
}
