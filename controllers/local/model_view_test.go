package local_test

import (
	"regexp"
	"strconv"
	"strings"
)

// view is what both repositories hold at one moment.
type view struct {
	up, down  map[string]string // refs
	revisions []*rev            // downstream, in order of their refs
}

// rev is a package revision downstream, read from refs and commit messages alone.
type rev struct {
	ref, pkg, ws string
	number       int    // 0 unless published
	stage        string // drafts, proposed, tags
	doomed       bool   // its deletion is proposed
	tip, owner   string
	orphan       bool // its owner lets it go
	taken        bool // it belongs to an owner who wants it
	foreign      bool // it holds commits that do not name its owner and are not adopted, or does not lead back to its first
}

func (r *rev) open() bool { return r.number == 0 }

// name is what messages call it.
func (r *rev) name() string { return "deployments." + strings.ReplaceAll(r.pkg, "/", ".") + "." + r.ws }

// observe reads the refs of both repositories and what the downstream commits say.
func (m *model) observe() *view {
	m.Helper()
	v := &view{up: m.readers[0].refs(), down: m.readers[1].refs()}
	for _, ref := range sortedNames(v.down) {
		if r := m.revisionAt(v, ref); r != nil {
			r.taken = r.owner != "" && (!r.orphan || m.wants(r.owner, r.pkg))
			v.revisions = append(v.revisions, r)
		}
	}
	return v
}

var (
	workspaceIn = regexp.MustCompile(`kpt:\{"package":"([^"]*)","workspaceName":"([^"]*)"`)
	ownerIn     = regexp.MustCompile(`(?m)^Waybill-Owner: PackageVariant fleet/(.*)$`)
	created     = regexp.MustCompile(`"task":\{"type":"(clone|edit|upgrade|init)"`)
)

func (m *model) revisionAt(v *view, ref string) *rev {
	stage, rest, _ := strings.Cut(strings.TrimPrefix(ref, "heads/"), "/")
	cut := strings.LastIndexByte(rest, '/')
	if cut < 0 || stage == "deletionProposed" || stage == "waybill" {
		return nil
	}
	r := &rev{ref: ref, stage: stage, pkg: rest[:cut], ws: rest[cut+1:], tip: v.down[ref]}
	if stage == "tags" {
		r.number, _ = strconv.Atoi(strings.TrimPrefix(r.ws, "v"))
		_, r.doomed = v.down["heads/deletionProposed/"+rest]
		if said := workspaceIn.FindStringSubmatch(m.readers[1].commit(r.tip).message); said != nil {
			r.ws = said[2]
		}
	}
	m.trace(r)
	m.readAdoption(v, r)
	return r
}

// readAdoption reads who adopted what is published or proposed.
func (m *model) readAdoption(v *view, r *rev) {
	for id := v.down["heads/waybill/adopted/"+r.pkg+"/revisions"]; id != ""; {
		c := m.readers[1].commit(id)
		owner := ownerIn.FindStringSubmatch(c.message)
		if strings.Contains(c.message, "\nWaybill-Adopted: "+r.tip+"\n") {
			r.owner, r.foreign, r.orphan = owner[1], false, strings.Contains(c.message, "\nWaybill-Deletion-Policy: orphan\n")
			return
		}
		if id = ""; strings.HasPrefix(c.message, "Adopting ") {
			id = c.parents[0]
		}
	}
}

// trace follows the commits of a revision to the one that began it.
func (m *model) trace(r *rev) {
	var owners []string
	begun, adopted := false, false
	for id := r.tip; ; {
		c := m.readers[1].commit(id)
		said, owner := workspaceIn.FindStringSubmatch(c.message), ""
		if said != nil && (said[1] != r.pkg || said[2] != r.ws) {
			break
		}
		if o := ownerIn.FindStringSubmatch(c.message); o != nil && said != nil {
			owner = o[1]
			if r.owner == "" {
				r.owner, r.orphan = owner, strings.Contains(c.message, "\nWaybill-Deletion-Policy: orphan\n")
			}
		}
		if len(c.parents) < 2 && !adopted {
			owners = append(owners, owner)
		}
		adopted = adopted || owner != "" && owner == r.owner && strings.Contains(c.message, "\nWaybill-Adopted: ")
		if begun = created.MatchString(c.message); begun || len(c.parents) == 0 {
			break
		}
		id = c.parents[len(c.parents)-1]
	}
	r.foreign = !begun && !adopted && r.open() && r.owner != ""
	for _, o := range owners {
		r.foreign = r.foreign || o != r.owner
	}
}

// of are the revisions of what a variant wants that are its own, or may become so.
func (v *view) of(w *desiredVariant) (open []*rev, newest *rev, strangers bool) {
	for _, r := range v.revisions {
		switch {
		case r.pkg != w.pkg:
		case r.owner != w.name && (r.taken || !w.adopt):
			strangers = true
		case r.open():
			open = append(open, r)
		case newest == nil || r.number > newest.number:
			newest = r
		}
	}
	return open, newest, strangers
}

// files are those of a revision.
func (m *model) filesOf(r *rev) map[string]string { return m.readers[1].files(r.tip, r.pkg) }

// targets are the revisions that a variant works on.
func (v *view) targets(w *desiredVariant) []*rev {
	open, newest, _ := v.of(w)
	if len(open) == 0 && newest != nil {
		return []*rev{newest}
	}
	return open
}
