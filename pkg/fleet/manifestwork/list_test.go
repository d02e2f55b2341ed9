package manifestwork

import "testing"

func TestMayList(t *testing.T) {
	for text, want := range map[string]bool{
		"- kind: List\n": true, "- {\"kind\":\"FooList\",\"a\":1}": true, "- kind: 'List' # x": true, "- kind: Foo\n": false, "listKind: FooList\n": false,
		"kind:\n  List\n": true, "kind: |\n  List\n": true, "kind": false, "mankind List": false, "kind: &a List": true, "kind: Listing\n": false, "": false, "kind: \"\\x4cist\"": true,
	} {
		if got := MayList([]byte(text)); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}
