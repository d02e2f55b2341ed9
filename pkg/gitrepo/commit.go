package gitrepo

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"

	"github.com/waybill-dev/waybill/pkg/gitrepo/pack"
)

// Commit is the content of a commit.
type Commit struct {
	Hash      Hash
	Tree      Hash
	Parents   []Hash
	Author    Signature
	Committer Signature
	Message   string
}

// Signature is a person and a time, written in UTC with seconds.
type Signature struct {
	Name  string
	Email string
	When  time.Time
}

func decodeCommit(from objects, id Hash) (Commit, error) {
	o, err := load(from, plumbing.CommitObject, id)
	if err != nil {
		return Commit{}, err
	}
	var c object.Commit
	if err := c.Decode(o); err != nil {
		return Commit{}, fmt.Errorf("commit %s: %w", id, err)
	}
	out := Commit{
		Hash: id, Tree: c.TreeHash, Message: c.Message,
		Author: signature(c.Author), Committer: signature(c.Committer),
	}
	out.Parents = append(out.Parents, c.ParentHashes...)
	return out, nil
}

func signature(s object.Signature) Signature {
	return Signature{Name: s.Name, Email: s.Email, When: s.When.UTC()}
}

// encodeCommit writes c in the format of Git and refuses values that cannot be parsed again.
func encodeCommit(c Commit) (*pack.Object, error) {
	if strings.ContainsRune(c.Message, 0) {
		return nil, fmt.Errorf("commit message contains a NUL byte")
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "tree %s\n", c.Tree)
	for _, p := range c.Parents {
		fmt.Fprintf(&b, "parent %s\n", p)
	}
	for _, who := range []struct {
		role string
		sig  Signature
	}{{"author", c.Author}, {"committer", c.Committer}} {
		if err := who.sig.check(); err != nil {
			return nil, fmt.Errorf("%s: %w", who.role, err)
		}
		fmt.Fprintf(&b, "%s %s <%s> %d +0000\n", who.role, who.sig.Name, who.sig.Email, who.sig.When.Unix())
	}
	b.WriteString("\n" + c.Message)
	return pack.NewObject(plumbing.CommitObject, b.Bytes()), nil
}

func (s Signature) check() error {
	const forbidden = "<>\n\x00"
	switch {
	case s.Name == "" || strings.TrimSpace(s.Name) != s.Name || strings.ContainsAny(s.Name, forbidden):
		return fmt.Errorf("%q cannot be the name in a commit", s.Name)
	case strings.ContainsAny(s.Email, forbidden+" "):
		return fmt.Errorf("%q cannot be the email in a commit", s.Email)
	case s.When.Unix() < 0:
		return fmt.Errorf("time %s is before 1970", s.When.UTC().Format(time.RFC3339))
	}
	return nil
}
