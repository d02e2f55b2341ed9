package upstream_test

import (
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/upstream"
)

// annotatedTag: kpt locks the tag itself.
func annotatedTag(c *contest) {
	c.eachKptfile(func(_ string, kpt, ours *spoken) {
		tag, _ := fieldAt(kpt.Data, "upstreamLock", "git", "commit").(string)
		commit, _ := fieldAt(ours.Data, "upstreamLock", "git", "commit").(string)
		if tag != commit && commit != "" && c.shelves.tags[tag] == commit {
			kpt.Data = with(kpt.Data, commit, "upstreamLock", "git", "commit")
		}
	})
}

// strategyKept: kpt takes resource-merge for what was not said, and writes that down.
func strategyKept(c *contest) {
	if c.strategy != "" {
		return
	}
	c.eachKptfile(func(p string, kpt, ours *spoken) {
		was := ""
		if b := c.before.objects(p); len(b) == 1 {
			was, _ = fieldAt(b[0].Data, "upstream", "updateStrategy").(string)
		}
		if fieldAt(kpt.Data, "upstream", "updateStrategy") == "resource-merge" && fieldAt(ours.Data, "upstream", "updateStrategy") == was {
			kpt.Data = with(kpt.Data, was, "upstream", "updateStrategy")
		}
	})
}

// kptfileComments: kpt has none left.
func kptfileComments(c *contest) {
	c.eachKptfile(func(_ string, kpt, ours *spoken) {
		if len(kpt.Comments) == 0 {
			ours.Comments = nil
		}
	})
}

// contextsBelow: kpt gives every package one.
func contextsBelow(c *contest) {
	for _, p := range c.kpt.paths() {
		o := c.kpt.objects(p)
		if len(o) == 1 && path.Base(p) == upstream.ContextFile && path.Dir(p) != "." && c.ours[p] == nil &&
			fieldAt(o[0].Data, "metadata", "name") == upstream.ContextName {
			delete(c.kpt, p)
		}
	}
}

// attribution: kpt says that it was kpt.
func attribution(c *contest) {
	c.eachPair(func(kpt, _ *spoken) {
		version, _ := fieldAt(kpt.Data, "apiVersion").(string)
		if strings.Contains(version, ".cnrm.cloud.google.com/") && fieldAt(kpt.Data, "metadata", "annotations", attributionKey) == "kpt-pkg" {
			kpt.Data = with(kpt.Data, nil, "metadata", "annotations", attributionKey)
		}
	})
}

const attributionKey = "cnrm.cloud.google.com/blueprint"

// ownComment: kpt's mark takes the place of what was there.
func ownComment(c *contest) {
	c.eachPair(func(kpt, ours *spoken) {
		for i, line := range ours.Comments {
			mark, _, more := strings.Cut(strings.TrimPrefix(line, "# "), " #")
			if mark = "# " + mark; more && strings.HasPrefix(mark, "# kpt-merge: ") && slices.Contains(kpt.Comments, mark) {
				ours.Comments = slices.Clone(ours.Comments)
				ours.Comments[i] = mark
			}
		}
	})
}

// bracedMark: kpt writes none, as there is no place for it.
func bracedMark(c *contest) {
	c.eachPair(func(kpt, ours *spoken) {
		if fieldAt(kpt.Data, "metadata", "annotations", identity) != nil && !slices.ContainsFunc(kpt.Comments, isMark) {
			ours.Comments = slices.DeleteFunc(slices.Clone(ours.Comments), isMark)
			if len(ours.Comments) == 0 {
				ours.Comments = nil
			}
		}
	})
}

const identity = "internal.kpt.dev/upstream-identifier"

func isMark(comment string) bool { return strings.HasPrefix(comment, "# kpt-merge: ") }

// namelessMark: kpt marks what has labels or a namespace.
func namelessMark(c *contest) {
	c.eachPair(func(kpt, _ *spoken) {
		id, _ := fieldAt(kpt.Data, "metadata", "annotations", identity).(string)
		if fieldAt(kpt.Data, "metadata", "name") == nil && strings.HasSuffix(id, "|") {
			kpt.Data = with(kpt.Data, nil, "metadata", "annotations", identity)
			kpt.Comments = slices.DeleteFunc(slices.Clone(kpt.Comments), isMark)
			if len(kpt.Comments) == 0 {
				kpt.Comments = nil
			}
		}
	})
}

// emptyFolders: Git knows none.
func emptyFolders(c *contest) {
	for p, v := range c.kpt {
		if v == "folder" && c.ours[p] == nil {
			delete(c.kpt, p)
		}
	}
}

// ignoredFiles: kpt leaves them alone, whatever upstream did.
func ignoredFiles(c *contest) {
	list, _ := c.ours[".krmignore"].(string)
	for _, p := range strings.Fields(list) {
		if was, ok := c.before[p]; ok && reflect.DeepEqual(c.kpt[p], was) || !ok && c.kpt[p] == nil {
			c.kpt[p] = c.ours[p] // what came of it here
		} else if len(c.before) == 0 {
			c.ours.unmark(p)
		}
		if c.kpt[p] == nil {
			delete(c.kpt, p)
		}
	}
}

// unmark takes the marks out of a file.
func (r reading) unmark(p string) {
	var out []spoken
	for _, o := range r.objects(p) {
		o.Data = with(o.Data, nil, "metadata", "annotations", identity)
		o.Comments = slices.DeleteFunc(slices.Clone(o.Comments), isMark)
		out = append(out, spoken{o.Data, slices.Clip(append([]string(nil), o.Comments...))})
	}
	if out != nil {
		r[p] = out
	}
}

// templates: kpt writes what it could read of them, and marks the rest.
func templates(c *contest) {
	found := false
	for _, p := range c.ours.paths() {
		text, ok := c.ours[p].(string)
		if ext := path.Ext(p); ok && (ext == ".yaml" || ext == ".yml") && strings.HasPrefix(text, "{{") && c.kpt[p] != nil {
			c.kpt[p], found = text, true
		}
	}
	for _, p := range c.kpt.paths() {
		if found && len(c.before) == 0 {
			c.kpt.unmark(p)
		}
	}
}
