package transform

import (
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// read parses one object, with tabs allowed as indentation so that tables stay readable.
func read(t testing.TB, text string) *krm.Object {
	t.Helper()
	objs := readAll(t, text)
	if len(objs) != 1 {
		t.Fatalf("want one object, got %d in:\n%s", len(objs), text)
	}
	return objs[0]
}

func readAll(t testing.TB, text string) []*krm.Object {
	t.Helper()
	objs, err := krm.Read("test.yaml", []byte(dedent(text)), krm.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return objs
}

func dedent(text string) string {
	text = strings.TrimLeft(text, "\n")
	margin := text[:len(text)-len(strings.TrimLeft(text, "\t"))]
	lines := strings.Split(strings.TrimRight(text, "\t\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimPrefix(lines[i], margin)
	}
	return strings.Join(lines, "\n") + "\n"
}

func write(t testing.TB, o *krm.Object) string {
	t.Helper()
	data, err := krm.WriteRaw(o)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
