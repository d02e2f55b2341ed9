package gitrepo

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"

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
	c, err := parseCommit(o.Data)
	if err != nil {
		return Commit{}, fmt.Errorf("commit %s: %w", id, err)
	}
	c.Hash = id
	return c, nil
}

// parseCommit reads the headers of a commit in Git's order and passes over others, such as signatures. A commit without a tree or with a
// bad id is an error; an author or a committer who cannot be read is empty. The package of go-git that reads commits links OpenPGP.
func parseCommit(data []byte) (c Commit, err error) {
	headers, message, _ := bytes.Cut(data, []byte("\n\n"))
	c.Message = string(message)
	id, headers, found := nextHeader(headers, "tree")
	if !found {
		return Commit{}, errors.New("malformed commit: the tree must be first")
	}
	if c.Tree, err = headerID(id); err != nil {
		return Commit{}, fmt.Errorf("malformed commit: tree: %w", err)
	}
	for id, headers, found = nextHeader(headers, "parent"); found; id, headers, found = nextHeader(headers, "parent") {
		parent, err := headerID(id)
		if err != nil {
			return Commit{}, fmt.Errorf("malformed commit: parent: %w", err)
		}
		c.Parents = append(c.Parents, parent)
	}
	author, headers, _ := nextHeader(headers, "author")
	committer, _, _ := nextHeader(headers, "committer")
	c.Author, c.Committer = parseSignature(author), parseSignature(committer)
	return c, nil
}

// tagTarget returns the object that a tag names.
func tagTarget(data []byte) (Hash, error) {
	object, rest, hasObject := nextHeader(data, "object")
	kind, rest, hasType := nextHeader(rest, "type")
	_, _, hasName := nextHeader(rest, "tag")
	if !hasObject || !hasType || !hasName {
		return Hash{}, errors.New("malformed tag: want an object, its type and a name first")
	}
	if _, err := plumbing.ParseObjectType(string(kind)); err != nil {
		return Hash{}, fmt.Errorf("malformed tag: type %q: %w", kind, err)
	}
	return headerID(object)
}

// headerID reads the id in a header. Unlike ParseHash, it accepts what Git does: capital letters and zero.
func headerID(text []byte) (Hash, error) {
	if id := string(text); plumbing.IsHash(id) {
		return plumbing.NewHash(id), nil
	}
	return Hash{}, fmt.Errorf("%q is no id", text)
}

// nextHeader returns the value of the first line if that is the header key, and the lines after it; otherwise the text as it is.
func nextHeader(text []byte, key string) (value, rest []byte, found bool) {
	line, rest, _ := bytes.Cut(text, []byte{'\n'})
	name, value, _ := bytes.Cut(line, []byte{' '})
	if string(name) != key {
		return nil, text, false
	}
	return value, rest, true
}

// parseSignature reads "Name <email> seconds zone". What cannot be read is empty.
func parseSignature(text []byte) (s Signature) {
	start, end := bytes.LastIndexByte(text, '<'), bytes.LastIndexByte(text, '>')
	if start < 0 || end < start {
		return Signature{}
	}
	s.Name, s.Email = string(bytes.Trim(text[:start], " ")), string(text[start+1:end])
	if len(text) > end+2 {
		written, _, _ := bytes.Cut(text[end+2:], []byte{' '})
		if seconds, err := strconv.ParseInt(string(written), 10, 64); err == nil {
			s.When = time.Unix(seconds, 0).UTC()
		}
	}
	return s
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
