package revision

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/api/porch"
)

func cloneOf(name string) porch.Task {
	return porch.Task{Type: porch.TaskClone, Clone: &porch.CloneTask{Upstream: porch.UpstreamPackage{UpstreamRef: &porch.PackageRevisionRef{Name: name}}}}
}

func TestMessage(t *testing.T) {
	clone := cloneOf("blueprints.upf.v3")
	for name, tc := range map[string]struct {
		reason  string
		subject string
		a       Annotation
		owner   Owner
		want    string
	}{
		"draft": {
			reason:  "an annotation as Porch writes it: two blank lines, and the keys in order",
			subject: subject(porch.TaskClone),
			a:       Annotation{Package: "net/upf", Workspace: "packagevariant-1", Revision: "0", Task: &clone},
			want:    "Creating new revision by cloning\n\n\n" + `kpt:{"package":"net/upf","workspaceName":"packagevariant-1","revision":"0","task":{"type":"clone","clone":{"upstreamRef":{"upstreamRef":{"name":"blueprints.upf.v3"}}}}}` + "\n",
		},
		"owned": {
			reason:  "the owner is a trailer, in a paragraph of its own",
			subject: subject(porch.TaskRender),
			a:       Annotation{Package: "upf", Workspace: "w", Revision: "0", Task: &porch.Task{Type: porch.TaskRender}},
			owner:   Owner{"PackageVariant", "fleet", "web"},
			want:    "Rendering package\n\n\nkpt:{\"package\":\"upf\",\"workspaceName\":\"w\",\"revision\":\"0\",\"task\":{\"type\":\"render\"}}\n\nWaybill-Owner: PackageVariant fleet/web\n",
		},
		"approval": {
			reason:  "an approval has one blank line and no task",
			subject: "Approving package revision net/upf/2",
			a:       Annotation{Package: "net/upf", Workspace: "w", Revision: "2"},
			want:    "Approving package revision net/upf/2\n\nkpt:{\"package\":\"net/upf\",\"workspaceName\":\"w\",\"revision\":\"2\"}\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := message(tc.subject, tc.a, tc.owner)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if diff := cmp.Diff([]Annotation{tc.a}, parseAnnotations(got)); diff != "" {
				t.Errorf("%s: parsing the message (-want +got):\n%s", tc.reason, diff)
			}
			if got := parseOwner(got); got != tc.owner {
				t.Errorf("%s: read owner %q, want %q", tc.reason, got, tc.owner)
			}
		})
	}
}

func TestSubjects(t *testing.T) {
	want := map[porch.TaskType]string{
		porch.TaskInit: "Creating new empty revision", porch.TaskClone: "Creating new revision by cloning",
		porch.TaskEdit: "Creating new revision by copying previous revision", porch.TaskUpgrade: "Upgrading revision",
		porch.TaskRender: "Rendering package", porch.TaskPush: "Intermediate commit: push", "": "Intermediate commit",
	}
	got := map[porch.TaskType]string{}
	for task := range want {
		got[task] = subject(task)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the subjects are Porch's (-want +got):\n%s", diff)
	}
}

func TestParse(t *testing.T) {
	for name, tc := range map[string]struct {
		reason  string
		message string
		want    []Annotation
		owner   Owner
	}{
		"none":      {reason: "most commits have none", message: "fix: a thing\n"},
		"junk":      {reason: "a line that is not valid is ignored", message: "kpt:{\nkpt:\nkpt: [1]\nkpt:{\"package\":7}\nkpt:{\"package\":\"a\"}\n", want: []Annotation{{Package: "a"}}},
		"several":   {reason: "every line is read", message: "s\n\nkpt:{\"package\":\"a\"}\ntext\nkpt:{\"package\":\"b\",\"new\":1}", want: []Annotation{{Package: "a"}, {Package: "b"}}},
		"inside":    {reason: "the prefix begins the line", message: " kpt:{\"package\":\"a\"}\nx kpt:{\"package\":\"b\"}\n"},
		"carriage":  {reason: "other line ends are accepted", message: "s\r\n\r\nkpt:{\"package\":\"a\"}\r\nWaybill-Owner: K n/m\r\n", want: []Annotation{{Package: "a"}}, owner: Owner{"K", "n", "m"}},
		"bad owner": {reason: "an owner is kind, namespace and name", message: "Waybill-Owner: K n\nWaybill-Owner: K /m\nWaybill-Owner:  n/m\nWaybill-Owner: K n/m/o\n"},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, parseAnnotations(tc.message)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if got := parseOwner(tc.message); got != tc.owner {
				t.Errorf("%s: got owner %q, want %q", tc.reason, got, tc.owner)
			}
		})
	}
}

func FuzzParseAnnotations(f *testing.F) {
	for _, s := range []string{"", "a", "kpt:{", "net/upf", "x\nkpt:{}", "Waybill-Owner: a b/c"} {
		f.Add(s, s, s)
	}
	f.Fuzz(func(t *testing.T, junk, pkg, owner string) {
		for _, a := range parseAnnotations(junk) {
			msg, err := message("s", a, Owner{})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]Annotation{a}, parseAnnotations(msg)); diff != "" {
				t.Errorf("writing and parsing what was parsed (-want +got):\n%s", diff)
			}
		}
		o := Owner{Kind: "K", Namespace: "n", Name: owner}
		if o.check() != nil {
			return
		}
		a := Annotation{Package: strings.ToValidUTF8(pkg, ""), Revision: "1"}
		msg, err := message("s", a, o)
		if err != nil {
			t.Fatal(err)
		}
		if got := parseOwner(msg); got != o || len(parseAnnotations(msg)) != 1 {
			t.Errorf("owner %q and one annotation are read as %q and %v", o, got, parseAnnotations(msg))
		}
	})
}
