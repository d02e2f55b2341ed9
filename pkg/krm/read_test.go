package krm

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// nested is a flow mapping with that many levels.
func nested(levels int) string {
	return "a: " + strings.Repeat("{b: ", levels-1) + "{}" + strings.Repeat("}", levels-1) + "\n"
}

// bomb is a small document whose last anchor stands for ten to the power of levels.
func bomb(levels int) string {
	var b strings.Builder
	b.WriteString("l0: &l0 x\n")
	for i := 1; i <= levels; i++ {
		prev := "*l" + string(rune('0'+i-1))
		b.WriteString("l" + string(rune('0'+i)) + ": &l" + string(rune('0'+i)) + " [" + strings.Repeat(prev+", ", 9) + prev + "]\n")
	}
	return b.String()
}

// ladder nests by aliases: each rung holds the one before, so that no text is deep but the data is.
func ladder(rungs int) string {
	var b strings.Builder
	b.WriteString("r0: &r0 {x: 1}\n")
	for i := 1; i < rungs; i++ {
		name, prev := "r"+itoa(i), "*r"+itoa(i-1)
		b.WriteString(name + ": &" + name + " {x: " + prev + "}\n")
	}
	return b.String()
}

func itoa(i int) string {
	if i < 10 {
		return string(rune('0' + i))
	}
	return itoa(i/10) + string(rune('0'+i%10))
}

// nestedIn is a field of maps in maps, and value in the last.
func nestedIn(field string, levels int, value string) string {
	var b strings.Builder
	for i := range levels {
		b.WriteString(strings.Repeat("  ", i) + field + ":\n")
	}
	return strings.TrimSuffix(b.String(), "\n") + " " + value + "\n"
}

func TestReadRefuses(t *testing.T) {
	cases := map[string]struct {
		reason string
		data   string
		limits Limits
		want   string
	}{
		"bytes":               {reason: "size is looked at before anything is parsed", data: "a: 12345\n", limits: Limits{Bytes: 8}, want: "f.yaml: is 9 bytes, more than the 8 allowed"},
		"documents":           {reason: "many documents are as bad as a large one", data: "a: 1\n---\nb: 1\n---\nc: 1\n", limits: Limits{Documents: 2}, want: "f.yaml: line 5: more than 2 documents"},
		"depth":               {reason: "deep nesting costs stack", data: "x: 1\n---\n" + nested(6), limits: Limits{Depth: 5}, want: "f.yaml: document 2, line 3: nested deeper than 5 levels"},
		"default depth":       {reason: "the default holds without being asked for", data: nested(250), want: "f.yaml: document 1, line 1: nested deeper than 200 levels"},
		"parser depth":        {reason: "the parser's own bound is reported, not a panic", data: "a: " + strings.Repeat("[", 20_000), want: "f.yaml: document 1, line 1: not valid YAML: exceeded max depth of 10000"},
		"nodes":               {reason: "values are counted", data: "a: [1, 2, 3, 4]\n", limits: Limits{Nodes: 5}, want: "f.yaml: document 1, line 1: holds 8 values once aliases are followed, more than the 5 allowed"},
		"alias bomb":          {reason: "a kilobyte must not become a gigabyte", data: "x: 1\n---\n" + bomb(9), want: "f.yaml: document 2, line 3: holds 1000000 values once aliases are followed, more than the 500000 allowed"},
		"aliases in a file":   {reason: "bombs below the document's limit must not add up", data: "a: &a [1, 2]\nb: *a\n---\na: &a [1, 2]\nb: *a\n", limits: Limits{Aliased: 100}, want: "f.yaml: document 2, line 5: with this alias, aliases stand for more than the 23 bytes allowed; write out what they stand for"},
		"aliased text":        {reason: "bytes count, not values: this is 200 kB from 11", data: "a: &a " + strings.Repeat("x", 10_000) + "\nb: [" + strings.Repeat("*a,", 10) + "\n" + strings.Repeat("*a,", 10) + "]\n", want: "f.yaml: document 1, line 3: with this alias, aliases stand for more than the 146128 bytes allowed; write out what they stand for"},
		"aliased comment":     {reason: "comments are written as often", data: "a: &a\n  # " + strings.Repeat("x", 10_000) + "\n  k: 1\nb: [" + strings.Repeat("*a,", 20) + "]\n", want: "f.yaml: document 1, line 4: with this alias, aliases stand for more than the 146208 bytes allowed; write out what they stand for"},
		"aliased tag":         {reason: "and so are tags", data: "a: &a !" + strings.Repeat("x", 10_000) + " k\nb: [" + strings.Repeat("*a,", 20) + "]\n", want: "f.yaml: document 1, line 2: with this alias, aliases stand for more than the 146144 bytes allowed; write out what they stand for"},
		"aliased values":      {reason: "a value takes more than its text: this was 1.4 MB and half a GB of memory from 3 kB", data: "a: &a [" + strings.Repeat("1,", 1000) + "]\nb: [" + strings.Repeat("*a,", 450) + "]\n", want: "f.yaml: document 1, line 2: with this alias, aliases stand for more than the 92456 bytes allowed; write out what they stand for"},
		"aliased lines":       {reason: "an alias that stands deep indents each line", data: "a: &a |\n" + strings.Repeat("  x\n", 5000) + nestedIn("b", 150, "*a"), want: "f.yaml: document 1, line 5151: with this alias, aliases stand for more than the 408024 bytes allowed; write out what they stand for"},
		"alias ladder":        {reason: "depth is bounded after aliases are followed", data: ladder(300), want: "f.yaml: document 1, line 199: nested deeper than 200 levels once aliases are followed"},
		"alias cycle":         {reason: "following it would never end", data: "a: &a\n  b: 1\n  c: [*a]\n", want: `f.yaml: document 1, line 3: alias "*a" stands inside what it refers to`},
		"alias of the root":   {reason: "the root may carry an anchor too", data: "&a\nb: *a\n", want: `f.yaml: document 1, line 2: alias "*a" stands inside what it refers to`},
		"alias to nothing":    {reason: "the anchor is missing", data: "a: 1\n---\nk: 1\nb: *nope\n", want: "f.yaml: document 2, line 3: not valid YAML: an alias (a value that begins with \"*\") names no anchor; quote it if it is text"},
		"alias across":        {reason: "anchors end with their document", data: "a: &a 1\n---\nb: *a\n", want: "f.yaml: document 2, line 3: not valid YAML: an alias (a value that begins with \"*\") names no anchor; quote it if it is text"},
		"duplicate key":       {reason: "readers disagree on which one counts", data: "a: 1\nb:\n  c: 1\n  d: 2\n  c: 3\n", want: `f.yaml: document 1, line 5: field "c" is given twice (first 2 lines above); remove one`},
		"duplicate in a line": {reason: "no line above to point to", data: "a: {b: 1, b: 2}\n", want: `f.yaml: document 1, line 1: field "b" is given twice in this line; remove one`},
		"duplicate in JSON":   {reason: "JSON readers silently take the last", data: "{\"a\": 1,\n \"a\": 2}", want: `f.yaml: document 1, line 2: field "a" is given twice (first 1 lines above); remove one`},
		"equal keys":          {reason: "1 and \"1\" are one key in JSON", data: "1: a\n\"1\": b\n", want: `f.yaml: document 1, line 2: field "1" is given twice (first 1 lines above); remove one`},
		"duplicate in alias":  {reason: "what is anchored is looked into", data: "a: &a {x: 1, x: 2}\nb: *a\n", want: `f.yaml: document 1, line 1: field "x" is given twice in this line; remove one`},
		"complex key":         {reason: "JSON has no place for it", data: "? [a]\n: b\n", want: "f.yaml: document 1, line 1: a key that is not a plain value"},
		"alias as key":        {reason: "JSON has no place for it", data: "a: &a b\n*a : c\n", want: "f.yaml: document 1, line 2: a key that is not a plain value"},
		"null key":            {reason: "JSON has no place for it", data: "a: 1\n~: b\n", want: "f.yaml: document 1, line 2: a field without a name"},
		"merge key":           {reason: "API servers and kpt disagree about it", data: "a: &a {x: 1}\nb:\n  <<: *a\n", want: `f.yaml: document 1, line 3: the merge key "<<" is not supported; write the fields out`},
		"tagged merge key":    {reason: "the same key in disguise", data: "a: &a {x: 1}\nb:\n  !!merge <<: *a\n", want: `f.yaml: document 1, line 3: the merge key "<<" is not supported; write the fields out`},
		"list":                {reason: "an object is a mapping", data: "a: 1\n---\n# c\n- b\n", want: "f.yaml: document 2, line 4: is not an object (a mapping of fields)"},
		"text":                {reason: "an object is a mapping", data: "hello\n", want: "f.yaml: document 1, line 1: is not an object (a mapping of fields)"},
		"two after dots":      {reason: "kpt would lose the second one", data: "a: 1\n...\nb: 2\n", want: "f.yaml: document 1, line 3: not valid YAML: did not find expected <document start>"},
		"null, then object":   {reason: "what looks empty must not hide an object", data: "null\n...\na: 1\n", want: "f.yaml: document 1, line 3: not valid YAML: did not find expected <document start>"},
		"directive":           {reason: "kpt's reader cannot take directives either", data: "%YAML 1.1\n---\na: 1\n", want: "f.yaml: document 1, line 2: not valid YAML: did not find expected <document start>"},
		"tab":                 {reason: "indented by a tab", data: "a: 1\n---\na:\n\tb: 1\n", want: "f.yaml: document 2, line 4: not valid YAML: found character that cannot start any token"},
		"NUL":                 {reason: "binary data with a YAML name", data: "a: 1\nb: \x00\n", want: "f.yaml: line 2: holds a NUL byte; only UTF-8 text is read"},
		"UTF-16":              {reason: "only the YAML parser would accept it", data: "\xff\xfea\x00:\x00 \x001\x00", want: "f.yaml: line 1: is not UTF-8 text"},
		"two BOMs":            {reason: "the parser would leave out letters", data: "a: 1\n---\n\ufeff\ufeffb: 1\nkind: A\n", want: "f.yaml: document 2, line 3: begins with two byte order marks (U+FEFF); keep one at most"},
		"not UTF-8":           {reason: "Latin-1 text", data: "a: 1\n---\nb: caf\xe9\n", want: "f.yaml: line 3: is not UTF-8 text"},
		"control character":   {reason: "an escape sequence for a terminal", data: "a: 1\n\nb: \x1b[2J\n", want: "f.yaml: line 3: holds the control character U+001B"},
		"C1 control":          {reason: "the eight-bit kind", data: "a: \xc2\x9b2J\n", want: "f.yaml: line 1: holds the control character U+009B"},
		"open list":           {reason: "the line is that of the list's start", data: "a: 1\n---\nx: 1\ny: [1,\nz: 3\n", want: "f.yaml: document 2, line 4: not valid YAML: did not find expected ',' or ']'"},
		"bad indent":          {reason: "the line is the one that is wrong", data: "x: 1\na:\n  - b\n c: 1\n", want: "f.yaml: document 1, line 4: not valid YAML: did not find expected key"},
		"two colons":          {reason: "a scanner's error", data: "k: 1\na: b: c\n", want: "f.yaml: document 1, line 2: not valid YAML: mapping values are not allowed in this context"},
		"open quote":          {reason: "a scanner's error in a later document", data: "k: 1\n---\na: 1\nb: \"c\n", want: "f.yaml: document 2, line 4: not valid YAML: found unexpected end of stream"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			objs, err := Read("f.yaml", []byte(c.data), c.limits)
			if err == nil {
				t.Fatalf("%s: got %d objects, want an error", c.reason, len(objs))
			}
			if d := cmp.Diff(c.want, err.Error()); d != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, d)
			}
			var pe *ParseError
			if !errors.As(err, &pe) || pe.File != "f.yaml" || objs != nil {
				t.Errorf("%s: want a *ParseError for f.yaml and no objects, got %T and %d", c.reason, err, len(objs))
			}
		})
	}
}

func TestReadTakes(t *testing.T) {
	type object struct {
		JSON      string
		Doc, Line int
		Index     int
	}
	cases := map[string]struct {
		reason string
		data   string
		want   []object
	}{
		"nothing":              {reason: "an empty file has no objects"},
		"comments":             {reason: "neither has one with comments only", data: "# a\n\n# b\n"},
		"separators":           {reason: "nor one with separators only", data: "---\n---\n# a\n---\n"},
		"null":                 {reason: "null is an empty document", data: "null\n---\n~\n"},
		"empty documents":      {reason: "they count for messages, not for the index, as with kpt", data: "# c\n---\na: 1\n---\n\n---\nb: 1\n", want: []object{{`{"a":1}`, 1, 3, 0}, {`{"b":1}`, 3, 7, 1}}},
		"leading separator":    {reason: "it opens the first document", data: "---\n# c\na: 1\n", want: []object{{`{"a":1}`, 0, 3, 0}}},
		"blanks after it":      {reason: "blanks on the separator line do no harm", data: "a: 1\n--- \t\nb: 1\n", want: []object{{`{"a":1}`, 0, 1, 0}, {`{"b":1}`, 1, 3, 1}}},
		"comment after it":     {reason: "a comment on the separator line", data: "a: 1\n--- # c\nb: 1\n", want: []object{{`{"a":1}`, 0, 1, 0}, {`{"b":1}`, 1, 3, 1}}},
		"object after it":      {reason: "YAML allows an object on the separator line", data: "a: 1\n--- {b: 1}\n", want: []object{{`{"a":1}`, 0, 1, 0}, {`{"b":1}`, 1, 2, 1}}},
		"no newline after it":  {reason: "the file ends with the separator", data: "a: 1\n---", want: []object{{`{"a":1}`, 0, 1, 0}}},
		"separators in a row":  {reason: "each opens a document", data: "a: 1\n---\n---\n---\nb: 1\n", want: []object{{`{"a":1}`, 0, 1, 0}, {`{"b":1}`, 3, 5, 1}}},
		"dashes in text":       {reason: "an indented line is no separator, nor is a longer word", data: "a: |\n  x\n  ---\n  y\n---b: 1\n", want: []object{{`{"---b":1,"a":"x\n---\ny\n"}`, 0, 1, 0}}},
		"dots":                 {reason: "an end mark, then comments or a separator", data: "a: 1\n...\n# c\n---\nb: 1\n...\n", want: []object{{`{"a":1}`, 0, 1, 0}, {`{"b":1}`, 1, 5, 1}}},
		"CRLF":                 {reason: "lines as Windows ends them", data: "a: 1\r\nb: |\r\n  x\r\n  y\r\n---\r\nc: 'a\r\n\r\n  b'\r\n", want: []object{{`{"a":1,"b":"x\ny\n"}`, 0, 1, 0}, {`{"c":"a\nb"}`, 1, 6, 1}}},
		"BOM":                  {reason: "a byte order mark before any document is no text", data: "\ufeffa: 1\n---\n\ufeffb: 1\n", want: []object{{`{"a":1}`, 0, 1, 0}, {`{"b":1}`, 1, 3, 1}}},
		"JSON":                 {reason: "JSON is YAML, tabs included", data: "{\n\t\"a\": \"x\\ty\",\n\t\"b\": [1, 2.5, true, null]\n}\n", want: []object{{`{"a":"x\ty","b":[1,2.5,true,null]}`, 0, 1, 0}}},
		"alias":                {reason: "followed wherever one looks", data: "a: &a {x: [1]}\nb: *a\nc: [*a]\n", want: []object{{`{"a":{"x":[1]},"b":{"x":[1]},"c":[{"x":[1]}]}`, 0, 1, 0}}},
		"anchor given twice":   {reason: "an alias means the last one before it", data: "a: &a 1\nb: *a\nc: &a 2\nd: *a\n", want: []object{{`{"a":1,"b":1,"c":2,"d":2}`, 0, 1, 0}}},
		"quoted merge key":     {reason: "quoted, it is a field like any other", data: "\"<<\": 1\n", want: []object{{`{"<<":1}`, 0, 1, 0}}},
		"depth at the limit":   {reason: "200 levels are allowed", data: nested(199), want: []object{{strings.TrimSuffix(strings.NewReplacer("a:", `{"a":`, "b:", `"b":`, " ", "", "\n", "").Replace(nested(199)), "\n") + "}", 0, 1, 0}}},
		"other line ends":      {reason: "a next-line character is text that YAML allows", data: "a: x\u0085  y\n", want: []object{{`{"a":"x y"}`, 0, 1, 0}}},
		"no newline at end":    {reason: "the last line may lack its end", data: "a: 1", want: []object{{`{"a":1}`, 0, 1, 0}}},
		"every plane":          {reason: "text outside the basic plane", data: "a: \U0001f69a\n", want: []object{{"{\"a\":\"\U0001f69a\"}", 0, 1, 0}}},
		"literal dashes above": {reason: "a block scalar ends where the separator begins", data: "a: |\n  x\n---\nb: 1\n", want: []object{{`{"a":"x\n"}`, 0, 1, 0}, {`{"b":1}`, 1, 4, 1}}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			objs, err := Read("f.yaml", []byte(c.data), Limits{})
			if err != nil {
				t.Fatalf("%s: %v", c.reason, err)
			}
			var got []object
			for _, o := range objs {
				data, err := CanonicalJSON(o.Node())
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, object{string(data), o.Source.Doc, o.Source.Line, o.Index()})
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, d)
			}
		})
	}
}
