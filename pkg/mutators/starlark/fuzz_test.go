package starlark

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// FuzzScript runs any script: it may fail, and must say why in one line, without a panic.
func FuzzScript(f *testing.F) {
	files, err := filepath.Glob("../../../functions/starlark/testdata/*.txtar")
	if err != nil || len(files) == 0 {
		f.Fatalf("no golden cases to begin with (%v)", err)
	}
	for _, file := range files {
		ar, err := txtar.ParseFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for _, part := range ar.Files {
			if objs, err := krm.Read(part.Name, part.Data, krm.Limits{}); part.Name == "config.yaml" && err == nil {
				f.Add(objs[0].String("source"))
			}
		}
	}
	f.Fuzz(func(t *testing.T, source string) {
		got := runScript(t, strings.ToValidUTF8(source, ""))
		if strings.Contains(got, "please report") || strings.Contains(got, "\n") && !strings.HasPrefix(got, "print[") {
			t.Errorf("%q", got)
		}
	})
}
