package mutation_test

import (
	"fmt"
	"strings"
	"testing"
)

// typical is an object of about 4 KiB.
func typical() string {
	var parts []string
	for i := range 40 {
		parts = append(parts, fmt.Sprintf(`{"name":"part-%d","image":"registry.example/part:%d","ports":[%d],"on":true}`, i, i, 8000+i))
	}
	return head + `"spec":{"host":"shop.public.example","tier":"gold","parts":[` + strings.Join(parts, ",") + `]},"status":{"url":"shop.example"}}`
}

func BenchmarkSpec(b *testing.B) {
	const remove, regex = `{delete: {path: 'metadata.annotations.example\.org/internal'}}`, `{regex: {path: spec.host, pattern: '^(.+)\.public\.example$', replacement: '$1.internal.example'}}`
	const template, cel = `{template: {path: spec.url, template: 'https://{{ .Self.spec.host }}'}}`, `{cel: {path: spec.replicas, expression: 'self.spec.tier == "gold" ? 3 : 1'}}`
	for name, rules := range map[string]string{"Delete": remove, "Regex": regex, "Template": template, "CEL": cel, "All": strings.Join([]string{remove, regex, template, cel}, ",")} {
		b.Run(name, func(b *testing.B) {
			m, doc, other := compile(b, "["+rules+"]", ""), []byte(typical()), []byte(other)
			if got, err := m.Spec(b.Context(), doc, other); err != nil || string(got) == string(doc) {
				b.Fatalf("%s, %v", got, err)
			}
			b.SetBytes(int64(len(doc)))
			b.ReportAllocs()
			for b.Loop() {
				m.Spec(b.Context(), doc, other)
			}
		})
	}
}
