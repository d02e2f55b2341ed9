package local_test

import (
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/testenv"
)

// waysToSecond are the overlaps of which a set of sites can name the second Repository: all of the deployments, and a
// directory of them.
var waysToSecond = map[string]struct{ overlap, repo, pkg string }{
	"same directory": {"same directory", "second", "sites/"},
	"server":         {"server", "second", ""},
	"mirror":         {"mirror", "second", "sites/"},
}

// TestSetMovesToSecondRepository points a set at another Repository object that shows the same revisions: the variants that
// take the place of the old ones take over what these made, and no branch or tag goes or is proposed for deletion.
func TestSetMovesToSecondRepository(t *testing.T) {
	testenv.Long(t, "a dozen reconciles each")
	for name, way := range waysToSecond {
		tc := overlaps[way.overlap]
		t.Run(name, func(t *testing.T) {
			f := newFleet(t)
			f.remove("eu.yaml")
			f.write("edge.yaml", sites)
			again := func() {
				if tc.again != nil {
					tc.again(f)
				}
			}
			f.expectSets("a draft", "set edge: +1 ~0 -0", "edge-deployments-sites-lyon created"+strings.ReplaceAll(made, "%[1]s", "lyon"))
			again()
			url, directory := tc.second(t, f)
			if directory != "" {
				directory = "sites"
			}
			f.write("second.yaml", repository("second", url, directory))
			move := func() {
				f.edit("edge.yaml", "repo: deployments", "repo: second", "'sites/' +", "'"+way.pkg+"' +")
			}
			back := f.read("edge.yaml")
			variant := "edge-second-" + strings.ReplaceAll(way.pkg, "/", "-") + "lyon"
			revision := "second." + strings.ReplaceAll(way.pkg, "/", ".") + "lyon.packagevariant-"
			kept := func(n string) string {
				return "edge-deployments-sites-lyon unchanged: nothing to change; deployments.sites.lyon.packagevariant-" + n + ` is kept: PackageVariant "` + variant +
					`" wants the same branch or tag through Repository "second"`
			}
			quiet := func(reason, n string) {
				t.Helper()
				again()
				f.expectQuietSets(reason, "set edge: +1 ~0 -1", kept(n), variant+" unchanged: "+revision+n+": nothing to change")
				again()
				f.expectQuietSets(reason+", again", "set edge: +1 ~0 -1", kept(n), variant+" unchanged: "+revision+n+": nothing to change")
			}
			move()
			quiet("a draft is taken over", "1")
			f.write("edge.yaml", back)
			f.expectQuietSets("and back", "set edge: +0 ~1 -0", "edge-deployments-sites-lyon unchanged: deployments.sites.lyon.packagevariant-1: nothing to change")
			f.publish("deployments.sites.lyon.packagevariant-1")
			move()
			quiet("what is published is taken over", "1")
			f.release(2, map[string]*string{"shop/README.md": f.upstream("shop/README.md", "shop", "store")})
			f.edit("edge.yaml", "revision: 1", "revision: 2")
			f.expectSets("and upgraded", "set edge: +1 ~0 -1", kept("1"), variant+" created: "+revision+"2: upgraded from shop/v1")
		})
	}
}
