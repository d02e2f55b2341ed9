package local_test

import (
	"fmt"
	"maps"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// release publishes upstream with one or two changes.
func (m *model) release() {
	was := m.readers[0].files(m.readers[0].refs()["heads/main"], "shop")
	is := maps.Clone(was)
	for range choose(m, 1, 2) {
		m.change(is, upstreamKeys, "upstream")
	}
	n := m.count() + 1
	m.releases = n
	m.did("upstream releases v%d", n)
	dir := m.path("blueprints.git")
	gittest.Commit(m, dir, gittest.Change{Files: changes("shop", was, is), When: m.when(), Tag: fmt.Sprintf("shop/v%d", n)})
}

// count is the number of the newest release that there ever was.
func (m *model) count() int {
	if m.releases == 0 {
		m.releases = 1
	}
	return m.releases
}

// change gives one of the keys another value; some may lose theirs.
func (m *model) change(files map[string]string, keys []string, who string) {
	key, value := choose(m, keys...), fmt.Sprintf("%s-%d", who, m.next())
	for _, o := range optional {
		if o == key && get(files, key) != "" && choose(m, false, true) {
			value = ""
		}
	}
	m.did("  %s sets %s to %q", who, key, value)
	put(files, key, value)
}

// retag moves or withdraws a release.
func (m *model) retag() {
	n, dir := 1+numbers.Draw(m.rt, "release")%m.count(), m.path("blueprints.git")
	tag := fmt.Sprintf("shop/v%d", n)
	if choose(m, true, true, false) {
		m.did("upstream moves the tag v%d to main", n)
		gittest.Git(m, dir, "tag", "-f", tag, "main")
		return
	}
	if m.readers[0].refs()["tags/"+tag] != "" {
		m.did("upstream withdraws v%d", n)
		gittest.Git(m, dir, "tag", "-d", tag)
	}
}
