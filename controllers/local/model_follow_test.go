package local_test

import (
	"fmt"
	"strconv"
	"strings"
)

// release is an upstream revision.
type release struct {
	number int
	commit string
}

// lock is the release that files say they were made of.
func lock(files map[string]string) release {
	git := func(field string) string { return at(parse(files["Kptfile"]), "upstreamLock", "git", field) }
	n, _ := strconv.Atoi(strings.TrimPrefix(git("ref"), "shop/v"))
	return release{n, git("commit")}
}

// resolve is the release that a variant follows. What was withdrawn under a variant that follows a range
// stays until there is a higher one.
func (m *model) resolve(w *desiredVariant, now *view, targets []*rev) (release, bool) {
	if w.revision > 0 {
		commit, there := now.up[fmt.Sprintf("tags/shop/v%d", w.revision)]
		return release{w.revision, commit}, there
	}
	var top, used release
	for n := 1; n < 100; n++ {
		if commit := now.up[fmt.Sprintf("tags/shop/v%d", n)]; commit != "" && allows(w.follow, n) {
			top = release{n, commit}
		}
	}
	for _, r := range targets {
		if l := lock(m.filesOf(r)); l.number > used.number {
			used = l
		}
	}
	if top.number > 0 && used.number > top.number && allows(w.follow, used.number) {
		top = used
	}
	return top, top.number > 0
}

func allows(follow string, n int) bool {
	switch follow {
	case ">=2":
		return n >= 2
	case "<3":
		return n < 3
	}
	return true
}
