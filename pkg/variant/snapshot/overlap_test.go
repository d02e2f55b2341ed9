package snapshot

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/revision"
)

func TestOverlaps(t *testing.T) {
	shown := func(namespace, name, address, directory string, through ...string) View {
		s := View{Namespace: namespace, Name: name, Repository: &Repository{URL: address, Written: address, Address: address, Directory: directory}, Through: map[string]bool{}}
		for _, name := range through {
			s.Through[name] = true
		}
		return s
	}
	const url = "https://example.com/apps"
	for name, tc := range map[string]struct {
		reason string
		all    []View
		want   []string
	}{
		"nested": {"a directory lies in the whole, and in its like", []View{shown("fleet", "eu", url, "eu"), shown("fleet", "all", url, ""), shown("fleet", "paris", url, "eu/paris")}, []string{
			`Repositories "all" and "eu" of namespace "fleet" show the same revisions: both are the repository https://example.com/apps, of which they show the directories "" and "eu"`,
			`Repositories "all" and "paris" of namespace "fleet" show the same revisions: both are the repository https://example.com/apps, of which they show the directories "" and "eu/paris"`,
			`Repositories "eu" and "paris" of namespace "fleet" show the same revisions: both are the repository https://example.com/apps, of which they show the directories "eu" and "eu/paris"`,
		}},
		"beside": {"directories that begin alike lie side by side", []View{shown("fleet", "eu", url, "eu"), shown("fleet", "europe", url, "europe"), shown("fleet", "us", url, "us")}, nil},
		"moved":  {"and so do they when a package was made through another once", []View{shown("fleet", "eu", url, "eu", "us"), shown("fleet", "us", url, "us")}, nil},
		"mirror": {"what was made through another", []View{shown("fleet", "a", "https://mirror.example/apps", "", "z", "b", ""), shown("fleet", "z", url, "", "z")}, []string{
			`Repositories "a" and "z" of namespace "fleet" show the same revisions: "a" shows revisions that were made through "z"`,
		}},
		"mirror after it": {"in either order", []View{shown("fleet", "z", "https://mirror.example/apps", "", "a"), shown("fleet", "a", url, "", "a")}, []string{
			`Repositories "a" and "z" of namespace "fleet" show the same revisions: "z" shows revisions that were made through "a"`,
		}},
		"namespaces": {"variants do not look into other namespaces", []View{shown("lab", "a", url, "", "b"), shown("fleet", "b", url, "", "b")}, nil},
		"others":     {"two repositories", []View{shown("fleet", "a", url, "", "a"), shown("fleet", "b", "https://example.com/other", "", "b")}, nil},
	} {
		var got []string
		for _, o := range Overlaps(tc.all) {
			got = append(got, o.String())
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s: %s (-want +got):\n%s", name, tc.reason, diff)
		}
	}
}

func TestThrough(t *testing.T) {
	rev := func(kind, namespace, through string) revision.Revision {
		return revision.Revision{Owner: revision.Owner{Kind: kind, Namespace: namespace, Name: "eu"}, Trailers: revision.Trailers{{Key: revision.TrailerRepository, Value: through}}}
	}
	got := Through("fleet", []revision.Revision{rev("PackageVariant", "fleet", "a"), rev("PackageVariant", "lab", "b"), rev("Other", "fleet", "c")})
	if diff := cmp.Diff(map[string]bool{"a": true}, got); diff != "" {
		t.Error(diff)
	}
}
