package container

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMount(t *testing.T) {
	cases := map[string]struct{ reason, spec, want, err string }{
		"bind":         {"read-only is the default", "type=bind,src=/a,dst=/b", "type=bind,source=/a,target=/b,readonly", ""},
		"long names":   {"in any order", "target=/b,source=/a,type=bind", "type=bind,source=/a,target=/b,readonly", ""},
		"docker's":     {"docker's third name for the target", "type=bind,src=/a,destination=/b", "type=bind,source=/a,target=/b,readonly", ""},
		"writable":     {"if asked for", "type=volume,src=v,dst=/b,rw=true", "type=volume,source=v,target=/b", ""},
		"not writable": {"a clear no", "type=bind,src=/a,dst=/b,rw=false", "type=bind,source=/a,target=/b,readonly", ""},
		"tmpfs":        {"comes from nowhere", "type=tmpfs,dst=/b,rw=true", "type=tmpfs,target=/b", ""},
		"short form":   {"docker's -v form is another one", "/a:/b", "", "unknown option"},
		"no type":      {"engines would guess", "src=/a,dst=/b", "", "want type=bind|volume|tmpfs"},
		"other type":   {"devices are not for functions", "type=devpts,dst=/b", "", "want type=bind|volume|tmpfs"},
		"no target":    {"it must be seen somewhere", "type=bind,src=/a", "", "want dst=PATH"},
		"no source":    {"and come from somewhere", "type=bind,dst=/b", "", "want src"},
		"tmpfs source": {"or not", "type=tmpfs,src=/a,dst=/b", "", "want src"},
		"twice":        {"the source is ambiguous", "type=bind,src=/a,source=/c,dst=/b", "", "want one value for source"},
		"unclear":      {"yes is no boolean", "type=bind,src=/a,dst=/b,rw=yes", "", "want rw=true or rw=false"},
		"more options": {"options of the engine could undo what keeps functions in", "type=bind,src=/a,dst=/b,bind-propagation=shared", "", `unknown option "bind-propagation"`},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := mount(tc.spec)
			if tc.err != "" {
				if err == nil || !strings.Contains(err.Error(), tc.err) || !strings.Contains(err.Error(), tc.spec) {
					t.Errorf("%s: err = %v, want %q", tc.reason, err, tc.err)
				}
				return
			}
			if diff := cmp.Diff(tc.want, got); diff != "" || err != nil {
				t.Errorf("%s: %v (-want +got):\n%s", tc.reason, err, diff)
			}
		})
	}
}

// TestCheckEnv names no value: it may be a secret.
func TestCheckEnv(t *testing.T) {
	for variable, good := range map[string]bool{"A": true, "A=b": true, "A=": true, "A=b=c": true, "": false, "=s3cret": false, "A B=s3cret": false} {
		err := CheckEnv(variable)
		if (err == nil) != good {
			t.Errorf("%q: %v", variable, err)
		}
		if err != nil && strings.Contains(err.Error(), "s3cret") {
			t.Errorf("the value is in the error: %v", err)
		}
	}
}
