package gitrepo_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// thousand has a package of a thousand files of about a kilobyte, and a history of ten commits.
func thousand(b *testing.B) string {
	dir := gittest.NewBare(b)
	all := map[string]string{}
	for i := range 1000 {
		all[fmt.Sprintf("pkg/%02d/deployment-%d.yaml", i%20, i)] = fmt.Sprintf("name: %d\n", i) + strings.Repeat(fmt.Sprintf("field: value %d\n", i), 60)
	}
	seed(b, dir, all)
	for i := range 9 {
		seed(b, dir, map[string]string{"pkg/00/deployment-0.yaml": fmt.Sprintf("name: %d\n", i)})
	}
	return dir
}

func BenchmarkFetchPackage(b *testing.B) {
	dir := thousand(b)
	head := hash(b, gittest.Git(b, dir, "rev-parse", "main"))
	warm := cached(b, b.TempDir()+"/cache")
	checkTree(b, fetch(b, dir, "pkg", "main", warm))
	bench := func(name string, f func() (*gitrepo.Fetched, error)) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if got, err := f(); err != nil || got.Tree.Len() != 1000 {
					b.Fatal(err)
				}
			}
		})
	}
	url := "file://" + dir
	bench("cold", func() (*gitrepo.Fetched, error) {
		return gitrepo.FetchPackage(b.Context(), url, "pkg", "main", gitrepo.Options{})
	})
	bench("cold-and-kept", func() (*gitrepo.Fetched, error) {
		return gitrepo.FetchPackage(b.Context(), url, "pkg", "main", cached(b, b.TempDir()+"/cache"))
	})
	bench("cached-branch", func() (*gitrepo.Fetched, error) {
		return gitrepo.FetchPackage(b.Context(), url, "pkg", "main", warm)
	})
	bench("cached-lock", func() (*gitrepo.Fetched, error) {
		return gitrepo.FetchLocked(b.Context(), url, "pkg", "main", head, warm)
	})
	bench("whole-repository", func() (*gitrepo.Fetched, error) {
		r, err := gitrepo.Open(b.Context(), url, gitrepo.Options{})
		if err != nil {
			return nil, err
		}
		tree, err := r.Package(head, "pkg")
		return &gitrepo.Fetched{Tree: tree}, err
	})
}
