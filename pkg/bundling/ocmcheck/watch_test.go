package ocmcheck

import (
	"context"
	"fmt"
	"strings"
	"testing"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"

	"github.com/waybill-dev/waybill/pkg/fn"
)

// recorder is a testing.TB that notes what is reported to it.
type recorder struct {
	testing.TB
	errors []string
}

func (r *recorder) Errorf(format string, args ...any) {
	r.errors = append(r.errors, fmt.Sprintf(format, args...))
}

func TestWatch(t *testing.T) {
	mark := "annotations: {waybill.dev/generated-by: maker}"
	made := strings.Replace(good, "labels:", mark+"\n  labels:", 1)
	cases := map[string]struct {
		reason, work, config string
		fails                bool
		want                 string // part of the only error; "" means none
	}{
		"Good":      {"a work that OCM takes", made, "", false, ""},
		"Bad":       {"a work that it does not", strings.Replace(made, "CreateOnly", "Once", 1), "", false, `refuse a work of maker: works[0] edge1/shop-git-0: manifestConfigs[0].updateStrategy: unknown strategy "Once"`},
		"Others":    {"a work that another function made", strings.Replace(good, "CreateOnly", "Once", 1), "", false, ""},
		"Failed":    {"a failed run makes no works", strings.Replace(made, "CreateOnly", "Once", 1), "", true, ""},
		"Limit":     {"a limit in a ConfigMap counts", made, "apiVersion: v1\nkind: ConfigMap\ndata: {manifestLimit: '90'}\n", false, "more than 90"},
		"OwnLimit":  {"or in the function's own kind", made, "apiVersion: fn.waybill.dev/v1alpha1\nkind: Maker\nspec: {manifestLimit: 90}\n", false, "more than 90"},
		"OddLimit":  {"without one it is the hub's default", made, "apiVersion: v1\nkind: ConfigMap\ndata: {manifestLimit: many}\n", false, ""},
		"NoOptions": {"as with a config that says nothing of it", made, "apiVersion: v1\nkind: ConfigMap\n", false, ""},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			seen := &recorder{TB: t}
			f := Watch(seen, &fn.Function{Name: "maker", Run: func(_ context.Context, in *fn.Input) (*fn.Output, error) {
				out := fn.NewOutput(in)
				if tc.fails {
					out.Report(sdk.Error, nil, nil, "no")
				}
				return out, nil
			}})
			in := &fn.Input{Items: parse(t, tc.work)}
			if tc.config != "" {
				in.Config = parse(t, tc.config)[0]
			}
			out := f.Apply(context.Background(), in)
			if len(out.Items) != 1 || out.Items[0] != in.Items[0] {
				t.Error("to be watched changes what a function gives")
			}
			got := strings.Join(seen.errors, "\n")
			if tc.want == "" && got != "" || !strings.Contains(got, tc.want) {
				t.Errorf("%s: want %q, got %q", tc.reason, tc.want, got)
			}
		})
	}
}

func TestFits(t *testing.T) {
	cases := map[string]struct {
		reason, pattern, name string
		want                  bool
	}{
		"Plain":   {"without a star names are equal", "web", "web", true},
		"Longer":  {"all of the name counts", "web", "web2", false},
		"Any":     {"a star is any text, none included", "*", "", true},
		"Prefix":  {"a star ends a name", "web-*", "web-1", true},
		"Between": {"texts between stars come in order", "a*b*c", "a1b2c", true},
		"Order":   {"and not in another", "a*b*c", "a1c2b", false},
		"Start":   {"what stands before the first star begins the name", "a*b", "xab", false},
		"NoRoom":  {"no letter is taken twice", "ab*ba", "aba", false},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got := fits(tc.pattern, tc.name); got != tc.want {
				t.Errorf("%s: fits(%q, %q) = %v", tc.reason, tc.pattern, tc.name, got)
			}
		})
	}
}
