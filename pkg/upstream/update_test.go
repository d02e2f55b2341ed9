package upstream_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/merge"
	"github.com/waybill-dev/waybill/pkg/upstream"
)

// cm is a ConfigMap of that color, marked.
func cm(color string) string { return strings.Replace(marked, "red", color, 1) }

// lockedAt has another repository in the lock.
func lockedAt(text, from, to string) string {
	i := strings.LastIndex(text, from)
	return text[:i] + to + text[i+len(from):]
}

// plain is the same as upstream has it.
func plain(color string) string { return strings.Replace(configMap, "red", color, 1) }

func TestUpdate(t *testing.T) {
	own := func(ref, locked string) string { return kptfileText("here", "repo", "/web", ref, locked) }
	db := func(ref, locked string) string { return kptfileText("db", "repo", "/web/db", ref, locked) }
	for name, tc := range map[string]struct {
		reason, upstream, ours, want string
		opts                         upstream.UpdateOptions
		moved                        string // packages, in order
		conflicts                    int
		err                          string
	}{
		"to a ref": {
			reason:   "the ref asked for is the new upstream, and what it leads to the lock",
			upstream: "-- v1:repo/web/cm.yaml --\n" + plain("red") + "-- v2:repo/web/cm.yaml --\n" + plain("blue"),
			ours:     "-- Kptfile --\n" + own("v1", "v1") + "-- cm.yaml --\n" + cm("red"),
			opts:     upstream.UpdateOptions{Ref: "v2"},
			want:     "-- Kptfile --\n" + own("v2", "v2") + "-- cm.yaml --\n" + cm("blue"), moved: ".",
		},
		"upstream wins": {
			reason:   "as in kpt, and it is told",
			upstream: "-- v1:repo/web/cm.yaml --\n" + plain("red") + "-- v2:repo/web/cm.yaml --\n" + plain("blue"),
			ours:     "-- Kptfile --\n" + own("v2", "v1") + "-- cm.yaml --\n" + cm("green"),
			want:     "-- Kptfile --\n" + own("v2", "v2") + "-- cm.yaml --\n" + cm("blue"), moved: ".", conflicts: 1,
		},
		"fail": {
			reason:   "nothing is done, not even to the Kptfile",
			upstream: "-- v1:repo/web/cm.yaml --\n" + plain("red") + "-- v2:repo/web/cm.yaml --\n" + plain("blue"),
			ours:     "-- Kptfile --\n" + own("v1", "v1") + "-- cm.yaml --\n" + cm("green"),
			opts:     upstream.UpdateOptions{Ref: "v2", Prefer: merge.Fail, Strategy: merge.ResourceMerge},
			want:     "-- Kptfile --\n" + own("v1", "v1") + "-- cm.yaml --\n" + cm("green"), moved: ".", conflicts: 1,
		},
		"own upstream": {
			reason: "a subpackage goes by its own ref, whatever is asked for the root",
			upstream: "-- v1:repo/web/cm.yaml --\n" + plain("red") + "-- v2:repo/web/cm.yaml --\n" + plain("red") +
				"-- v1:repo/web/db/cm.yaml --\n" + plain("one") + "-- v2:repo/web/db/cm.yaml --\n" + plain("one") + "-- main:repo/web/db/cm.yaml --\n" + plain("two"),
			ours: "-- Kptfile --\n" + own("v1", "v1") + "-- cm.yaml --\n" + cm("red") + "-- db/Kptfile --\n" + db("main", "v1") + "-- db/cm.yaml --\n" + cm("one"),
			opts: upstream.UpdateOptions{Ref: "v2"},
			want: "-- Kptfile --\n" + own("v2", "v2") + "-- cm.yaml --\n" + cm("red") + "-- db/Kptfile --\n" + db("main", "main") + "-- db/cm.yaml --\n" + cm("two"), moved: ". db",
		},
		"follows": {
			reason: "one that was taken with the root goes where the root goes",
			upstream: "-- v1:repo/web/cm.yaml --\n" + plain("red") + "-- v2:repo/web/cm.yaml --\n" + plain("red") +
				"-- v1:repo/web/db/cm.yaml --\n" + plain("one") + "-- v2:repo/web/db/cm.yaml --\n" + plain("two"),
			ours: "-- Kptfile --\n" + own("v1", "v1") + "-- cm.yaml --\n" + cm("red") + "-- db/Kptfile --\n" + db("v1", "v1") + "-- db/cm.yaml --\n" + cm("one"),
			opts: upstream.UpdateOptions{Ref: "v2"},
			want: "-- Kptfile --\n" + own("v2", "v2") + "-- cm.yaml --\n" + cm("red") + "-- db/Kptfile --\n" + db("v2", "v2") + "-- db/cm.yaml --\n" + cm("two"), moved: ". db",
		},
		"never fetched": {
			reason: "a subpackage that was not fetched yet is fetched",
			upstream: "-- v1:repo/web/cm.yaml --\n" + plain("red") +
				"-- main:repo/web/db/cm.yaml --\n" + plain("two"),
			ours: "-- Kptfile --\n" + own("v1", "v1") + "-- cm.yaml --\n" + cm("red") + "-- db/Kptfile --\n" + db("main", ""),
			want: "-- Kptfile --\n" + own("v1", "v1") + "-- cm.yaml --\n" + cm("red") + "-- db/Kptfile --\n" + db("main", "main") + "-- db/cm.yaml --\n" + cm("two"), moved: ". db",
		},
		"conflict below": {
			reason:   "where it is is told from the root",
			upstream: "-- v1:repo/web/cm.yaml --\n" + plain("red") + "-- v1:repo/web/db/cm.yaml --\n" + plain("one") + "-- main:repo/web/db/cm.yaml --\n" + plain("two"),
			ours:     "-- Kptfile --\n" + own("v1", "v1") + "-- cm.yaml --\n" + cm("red") + "-- db/Kptfile --\n" + db("main", "v1") + "-- db/cm.yaml --\n" + cm("mine"),
			opts:     upstream.UpdateOptions{Prefer: merge.Local},
			want:     "-- Kptfile --\n" + own("v1", "v1") + "-- cm.yaml --\n" + cm("red") + "-- db/Kptfile --\n" + db("main", "main") + "-- db/cm.yaml --\n" + cm("mine"), moved: ". db", conflicts: 1,
		},
		"no package any more": {
			reason:   "a folder that holds no Kptfile and no object of the package is not followed: all would go",
			upstream: "-- v1:repo/web/Kptfile --\n" + own("v1", "") + "-- v1:repo/web/cm.yaml --\n" + plain("red") + "-- v2:repo/web/README.md --\nmoved\n-- v2:repo/web/sub/x.txt --\n",
			ours:     "-- Kptfile --\n" + own("v2", "v1") + "-- cm.yaml --\n" + cm("red"),
			err:      `repository "repo", ref "v2": the folder "/web" holds neither a Kptfile nor the package's files of objects any more`,
		},
		"removed below": {
			reason: "under copy-merge a remote subpackage that upstream removed goes, its Kptfile included",
			upstream: "-- v1:repo/web/cm.yaml --\n" + plain("red") + "-- v2:repo/web/cm.yaml --\n" + plain("blue") +
				"-- v1:repo/web/db/Kptfile --\n" + db("main", "main") + "-- v1:repo/web/db/cm.yaml --\n" + plain("two") + "-- main:repo/web/db/cm.yaml --\n" + plain("two"),
			ours: "-- Kptfile --\n" + own("v1", "v1") + "-- cm.yaml --\n" + cm("red") + "-- db/Kptfile --\n" + db("main", "main") + "-- db/cm.yaml --\n" + cm("two"),
			opts: upstream.UpdateOptions{Ref: "v2", Strategy: merge.CopyMerge},
			want: "-- Kptfile --\n" + strings.Replace(own("v2", "v2"), "resource-merge", "copy-merge", 1) + "-- cm.yaml --\n" + cm("blue"), moved: ".",
		},
		"no upstream": {reason: "in kpt's words", ours: "-- Kptfile --\n" + kptfileText("here", "", "", "", ""), err: "package must have an upstream reference"},
		"no Kptfile":  {reason: "a folder is no package", ours: "-- cm.yaml --\n" + configMap, err: "not a package"},
		"strategy":    {reason: "in kpt's words", upstream: "-- v1:repo/web/cm.yaml --\n" + plain("red"), ours: "-- Kptfile --\n" + own("v1", "v1"), opts: upstream.UpdateOptions{Strategy: "hope"}, err: "unrecognized update strategy hope"},
		"gone":        {reason: "the old commit is needed", upstream: "-- v2:repo/web/cm.yaml --\n" + plain("red"), ours: "-- Kptfile --\n" + own("v2", "v1"), err: "no longer"},
		"below fails": {reason: "it is said which", upstream: "-- v1:repo/web/cm.yaml --\n" + plain("red"), ours: "-- Kptfile --\n" + own("v1", "v1") + "-- db/Kptfile --\n" + db("v7", ""), err: `package "db"`},
		"below, once": {
			reason:   "and said once",
			upstream: "-- v1:repo/web/cm.yaml --\n" + plain("red"),
			ours:     "-- Kptfile --\n" + own("v1", "v1") + "-- db/Kptfile --\n" + kptfileText("db", "repo", "/nowhere", "v1", ""),
			err:      `package "db": commit`,
		},
		"kpt's lock": {
			reason:   "a lock that names no whole commit, as kpt writes them, says where it stands and what to do",
			upstream: "-- v1:repo/web/cm.yaml --\n" + plain("red"),
			ours:     "-- Kptfile --\n" + strings.Replace(own("v1", "v1"), commitOf("v1").String(), "HEAD", 1),
			err:      `Kptfile: upstreamLock.git.commit is "HEAD", and not the 40 hex digits of a commit: write those`,
		},
		"lock from this machine": {
			reason: "a lock that came from upstream brings nothing of this machine",
			upstream: "-- v1:https:/h/r/web/db/Kptfile --\n" + kptfileText("db", "https://h/db", "/", "v1", "v1") +
				"-- v2:https:/h/r/web/db/Kptfile --\n" + lockedAt(kptfileText("db", "https://h/db", "/", "v1", "v1"), "https://h/db", "/home/me/private"),
			ours: "-- Kptfile --\n" + kptfileText("here", "https://h/r", "/web", "v2", "v1") + "-- db/Kptfile --\n" + kptfileText("db", "https://h/db", "/", "v1", "v1"),
			err:  "upstreamLock.git.repo in db/Kptfile",
		},
		"this machine": {
			reason:   "an upstream that came from upstream brings nothing of this machine",
			upstream: "-- v1:https:/h/r/web/a --\n-- v2:https:/h/r/web/db/Kptfile --\n" + kptfileText("db", "/home/me/private", "/", "v1", ""),
			ours:     "-- Kptfile --\n" + kptfileText("here", "https://h/r", "/web", "v2", "v1"), err: "may not copy local files",
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := shelfOf(t, tc.upstream)
			got, err := upstream.Update(t.Context(), s, archive(t, tc.ours), tc.opts)
			if tc.err != "" {
				if err == nil || !strings.Contains(err.Error(), tc.err) || strings.Count(err.Error(), `package "`) > 1 {
					t.Errorf("%s: got %v, want %q", tc.reason, err, tc.err)
				}
				return
			}
			if err != nil {
				t.Fatalf("%s: %v", tc.reason, err)
			}
			if diff := cmp.Diff(tc.want, textOf(got.Tree)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			var moved []string
			for _, m := range got.Packages {
				moved = append(moved, m.Package)
			}
			if strings.Join(moved, " ") != tc.moved || len(got.Conflicts) != tc.conflicts {
				t.Errorf("%s: updated %v with %d conflicts, want %s with %d", tc.reason, moved, len(got.Conflicts), tc.moved, tc.conflicts)
			}
			for _, c := range got.Conflicts {
				if c.File != "cm.yaml" && c.File != "db/cm.yaml" || c.Field != "data.color" {
					t.Errorf("%s: conflict at %s %s", tc.reason, c.File, c.Field)
				}
			}
			if len(got.Conflicts) > 0 {
				return
			}
			again, err := upstream.Update(t.Context(), s, got.Tree, upstream.UpdateOptions{})
			if err != nil || !again.Tree.Equal(got.Tree) {
				t.Errorf("%s: a second update changes something: %v", tc.reason, err)
			}
		})
	}
}
