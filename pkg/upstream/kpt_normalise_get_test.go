package upstream_test

import (
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/upstream"
)

// annotatedTag: kpt locks the tag itself.
func annotatedTag(c *comparison) {
	c.eachKptfile(func(_ string, kpt, ours *content) {
		tag, _ := fieldAt(kpt.Data, "upstreamLock", "git", "commit").(string)
		commit, _ := fieldAt(ours.Data, "upstreamLock", "git", "commit").(string)
		if tag != commit && commit != "" && c.repositories.tags[tag] == commit {
			kpt.Data = with(kpt.Data, commit, "upstreamLock", "git", "commit")
		}
	})
}

// strategyKept: kpt records resource-merge when no strategy is named.
func strategyKept(c *comparison) {
	if c.strategy != "" {
		return
	}
	c.eachKptfile(func(p string, kpt, ours *content) {
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
func kptfileComments(c *comparison) {
	c.eachKptfile(func(_ string, kpt, ours *content) {
		if len(kpt.Comments) == 0 {
			ours.Comments = nil
		}
	})
}

// contextsBelow: kpt gives every package one.
func contextsBelow(c *comparison) {
	for _, p := range c.kpt.paths() {
		o := c.kpt.objects(p)
		if len(o) == 1 && path.Base(p) == upstream.ContextFile && path.Dir(p) != "." && c.ours[p] == nil &&
			fieldAt(o[0].Data, "metadata", "name") == upstream.ContextName {
			delete(c.kpt, p)
		}
	}
}

// attribution: kpt names itself.
func attribution(c *comparison) {
	c.eachPair(func(kpt, _ *content) {
		version, _ := fieldAt(kpt.Data, "apiVersion").(string)
		if strings.Contains(version, ".cnrm.cloud.google.com/") && fieldAt(kpt.Data, "metadata", "annotations", attributionKey) == "kpt-pkg" {
			kpt.Data = with(kpt.Data, nil, "metadata", "annotations", attributionKey)
		}
	})
}

const attributionKey = "cnrm.cloud.google.com/blueprint"

// ownComment: kpt's mark takes the place of what was there.
func ownComment(c *comparison) {
	c.eachPair(func(kpt, ours *content) {
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
func bracedMark(c *comparison) {
	c.eachPair(func(kpt, ours *content) {
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
func namelessMark(c *comparison) {
	c.eachPair(func(kpt, _ *content) {
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
func emptyFolders(c *comparison) {
	for p, v := range c.kpt {
		if v == "folder" && c.ours[p] == nil {
			delete(c.kpt, p)
		}
	}
}

// ignoredFiles: kpt leaves them alone, whatever upstream did.
func ignoredFiles(c *comparison) {
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
func (r folderContent) unmark(p string) {
	var out []content
	for _, o := range r.objects(p) {
		o.Data = with(o.Data, nil, "metadata", "annotations", identity)
		o.Comments = slices.DeleteFunc(slices.Clone(o.Comments), isMark)
		out = append(out, content{o.Data, slices.Clip(append([]string(nil), o.Comments...))})
	}
	if out != nil {
		r[p] = out
	}
}

// templates: kpt writes what it could read of them, and marks the rest.
func templates(c *comparison) {
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
