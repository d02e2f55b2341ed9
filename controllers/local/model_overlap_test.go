package local_test

import (
	"os"
	"strings"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/variant/reconciler"
)

// changeSecond gives the deployments a second Repository object, another one, or none: no draft and no release is
// to come or go for that. Its name comes before or after the other's.
func (m *model) changeSecond() {
	second := choose(m, "", "directory", "same", "slash", "mirror", "mirror")
	name := choose(m, "aaa", "zzz")
	m.did("second Repository: %q, named %s", second, name)
	m.second, m.mirrored = "", false
	switch second {
	case "directory":
		m.second = repository(name, "../deployments.git", "eu")
	case "same":
		m.second = repository(name, "../deployments.git", "")
	case "slash":
		m.second = repository(name, "../fleet/../deployments.git/", "us")
	case "mirror":
		m.second, m.mirrored = repository(name, "../mirror.git", ""), true
		m.syncMirror()
	}
	if m.second != "" {
		m.second += "---\n"
	}
	m.writeAll()
}

// syncMirror brings the mirror up to date.
func (m *model) syncMirror() {
	m.Helper()
	if _, err := os.Stat(m.path("mirror.git")); err != nil {
		gittest.Git(m, m.path("deployments.git"), "clone", "--quiet", "--mirror", ".", m.path("mirror.git"))
	}
	gittest.Git(m, m.path("deployments.git"), "push", "--quiet", "--mirror", m.path("mirror.git"))
}

// mirrorRefs are those of the mirror, "" when there is none.
func (m *model) mirrorRefs() string {
	m.Helper()
	if !m.mirrored {
		return ""
	}
	return gittest.Refs(m, m.path("mirror.git"))
}

// checkMirror: a reconcile moves nothing in a mirror, where no variant wants anything.
func (m *model) checkMirror(before string) {
	m.Helper()
	if diff := cmp.Diff(before, m.mirrorRefs()); diff != "" {
		m.Fatalf("a reconcile moved refs of the mirror (-before +after):\n%s", diff)
	}
	m.seen.add(map[bool]string{false: "alone", true: "mirrored"}[m.mirrored])
}

// silent reconciles while one of the repositories cannot be read: no ref moves anywhere. A variant that orphans what it made when it
// goes needs no repository, and every other one says which it lacks.
func (m *model) silent() {
	names := []string{"blueprints.git", "deployments.git"}
	name := choose(m, names...)
	m.did("reconcile while %s is silent", name)
	m.seen.add("silent")
	m.writeAll()
	before, mirror := m.observe(), m.mirrorRefs()
	if err := os.Rename(m.path(name), m.path("away.git")); err != nil {
		m.Fatal(err)
	}
	reports, _ := m.pass(ctx, nil)
	if err := os.Rename(m.path("away.git"), m.path(name)); err != nil {
		m.Fatal(err)
	}
	after := m.observe()
	if diff := cmp.Diff([]map[string]string{before.up, before.down}, []map[string]string{after.up, after.down}); diff != "" {
		m.Fatalf("%s was silent, and a reconcile moved (-before +after):\n%s", name, diff)
	}
	m.checkMirror(mirror)
	desired, _ := m.desired(before)
	for _, rep := range reports {
		if w := desired[rep.Name]; w != nil && w.dying && w.orphan && !w.set && rep.Err == nil && rep.Action == reconciler.Unchanged {
			m.seen.add("orphaned in silence")
			continue
		}
		if rep.Err == nil || !strings.Contains(rep.Message, "repository") {
			m.Fatalf("%s was silent, and %s says %s: %s", name, rep.Name, rep.Action, rep.Message)
		}
	}
}
