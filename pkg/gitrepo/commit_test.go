package gitrepo

import (
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/gitrepo/pack"
)

const (
	someTree   = "tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\n"
	someParent = "parent 4b825dc642cb6eb9a060e54bf8d69288fbee4905\n"
	someAuthor = "author A U Thor <a@example.com> 1700000000 +0130\n"
	someObject = "object 4b825dc642cb6eb9a060e54bf8d69288fbee4904\n"
)

// FuzzParseCommit reads commits as go-git does, which links more than a command needs.
func FuzzParseCommit(f *testing.F) {
	committer := strings.Replace(someAuthor, "author", "committer", 1)
	for _, s := range []string{
		someTree + someParent + someParent + someAuthor + committer + "\nsubject\n\nbody\n",
		someTree + someAuthor + committer + "encoding latin1\ngpgsig -----BEGIN\n \n end\n\nsigned",
		someTree + committer + someAuthor + "\n\n\nout of order", someTree + someAuthor + someParent + "\nlate parent",
		someTree + "author\n" + committer, someTree + "author \n" + committer + "\n", someTree + "\n", someTree + "author <", someTree + "author > <x> 5\n",
		someTree + "author A <a> x +0000\n", someTree + "author A <a>9", someTree + "author A <a> -3", someTree + "author  A  < a > 99999999999999999999 +0000\n",
		someTree + "parent 12\n", "tree x\n", "tree", "", "\n", "\n" + someTree, someParent, strings.TrimSpace(someTree), strings.ToUpper(someTree),
		"tree 4B825DC642CB6EB9A060E54BF8D69288FBEE4904\n", someTree + "parent", someTree + someTree, someTree + "author A <b> 1\x00 2\n\nm\x00",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var c object.Commit
		wantErr := c.Decode(pack.NewObject(plumbing.CommitObject, data))
		got, err := parseCommit(data)
		if (err != nil) != (wantErr != nil) {
			t.Fatalf("%q: got %v, go-git says %v", data, err, wantErr)
		}
		if err != nil {
			return
		}
		person := func(s object.Signature) Signature { return Signature{Name: s.Name, Email: s.Email, When: s.When.UTC()} }
		want := Commit{Tree: c.TreeHash, Parents: c.ParentHashes, Author: person(c.Author), Committer: person(c.Committer), Message: c.Message}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-go-git +got):\n%s", data, diff)
		}
	})
}

// FuzzTagTarget reads tags as go-git does, and refuses one that ends before its name.
func FuzzTagTarget(f *testing.F) {
	for _, s := range []string{
		someObject + "type commit\ntag v1\ntagger A <a> 1 +0000\n\nmessage\n", someObject + "type tag\ntag", someObject + "type\ntag v1\n", someObject + "type blob\n",
		someObject + "type blob", someObject, strings.TrimSpace(someObject), someObject + "\ntype commit\ntag v1\n", "type commit\n" + someObject, "", "\n",
		"object 12\ntype commit\ntag v1\n", someObject + "type any\ntag v1\n", someObject + "type commit\n\ntag v1\n", someObject + "type commit x\ntag v1\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var tag object.Tag
		wantErr := tag.Decode(pack.NewObject(plumbing.TagObject, data))
		got, err := tagTarget(data)
		cutOff := tag.Name == "" && !strings.Contains(string(data), "\ntag")
		if (err != nil) != (wantErr != nil || cutOff) || err == nil && got != tag.Target {
			t.Errorf("%q: got %s, %v; go-git says %s, %v", data, got, err, tag.Target, wantErr)
		}
	})
}
