package local_test

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"fmt"
	"io"
	"os/exec"
	"strings"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// gitReader reads a repository with the user's git, one process for a whole sequence.
type gitReader struct {
	f      *fleet
	dir    string
	cmd    *exec.Cmd
	ask    io.WriteCloser
	tells  *bufio.Reader
	errors bytes.Buffer
	known  map[string]map[string]string // files, by commit and directory
}

func openGitReader(f *fleet, name string) *gitReader {
	e := &gitReader{f: f, dir: f.path(name), known: map[string]map[string]string{}}
	e.start()
	return e
}

func (e *gitReader) start() {
	e.cmd = exec.Command("git", "cat-file", "--batch")
	e.cmd.Dir, e.cmd.Env, e.cmd.Stderr = e.dir, gittest.Env(), &e.errors
	ask, err := e.cmd.StdinPipe()
	if err != nil {
		e.f.Fatal(err)
	}
	out, err := e.cmd.StdoutPipe()
	if err == nil {
		err = e.cmd.Start()
	}
	if err != nil {
		e.f.Fatal(err)
	}
	e.ask, e.tells = ask, bufio.NewReader(out)
}

func (e *gitReader) close() {
	e.ask.Close()
	_ = e.cmd.Wait()
}

// head is the first line of git's answer. A process that ended, as when the machine has no memory left, is replaced once.
func (e *gitReader) head(name string) string {
	e.f.Helper()
	for range 2 {
		fmt.Fprintln(e.ask, name)
		line, err := e.tells.ReadString('\n')
		if err == nil {
			return line
		}
		e.close()
		e.f.Logf("git cat-file in %s: %v, %v: %s", e.dir, err, e.cmd.ProcessState, &e.errors)
		e.start()
	}
	e.f.Fatalf("git cat-file in %s ended twice", e.dir)
	return ""
}

// object is what git has under a name; false when there is no such thing.
func (e *gitReader) object(name string) ([]byte, bool) {
	e.f.Helper()
	head := e.head(name)
	var id, kind string
	var size int
	if n, _ := fmt.Sscan(head, &id, &kind, &size); n < 3 {
		return nil, false
	}
	data := make([]byte, size+1)
	if _, err := io.ReadFull(e.tells, data); err != nil {
		e.f.Fatal(err)
	}
	return data[:size], true
}

// files are all files that a commit has below dir.
func (e *gitReader) files(commit, dir string) map[string]string {
	e.f.Helper()
	key := commit + ":" + dir
	if e.known[key] == nil {
		out := map[string]string{}
		if tree, there := e.object(key); there {
			e.walk(out, "", tree)
		}
		e.known[key] = out
	}
	return e.known[key]
}

func (e *gitReader) walk(out map[string]string, dir string, tree []byte) {
	for len(tree) > 0 {
		head, rest, _ := bytes.Cut(tree, []byte{0})
		mode, name, _ := strings.Cut(string(head), " ")
		data, _ := e.object(hex.EncodeToString(rest[:20]))
		if tree = rest[20:]; mode == "40000" {
			e.walk(out, dir+name+"/", data)
			continue
		}
		out[dir+name] = string(data)
	}
}

// commit is one commit.
type commit struct {
	parents []string
	message string
}

func (e *gitReader) commit(id string) (c commit) {
	e.f.Helper()
	data, there := e.object(id)
	if !there {
		e.f.Fatalf("%s: there is no commit %s", e.dir, id)
	}
	head, message, _ := strings.Cut(string(data), "\n\n")
	for line := range strings.Lines(head) {
		if id, is := strings.CutPrefix(line, "parent "); is {
			c.parents = append(c.parents, strings.TrimSpace(id))
		}
	}
	c.message = message
	return c
}

// isAncestor reports whether old is new or in its history.
func (e *gitReader) isAncestor(old, new string) bool {
	for todo, done := []string{new}, map[string]bool{}; len(todo) > 0; {
		id := todo[0]
		if todo = todo[1:]; id == old {
			return true
		}
		if !done[id] {
			done[id] = true
			todo = append(todo, e.commit(id).parents...)
		}
	}
	return false
}

// refs are all refs by name, without "refs/".
func (e *gitReader) refs() map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(gittest.Refs(e.f, e.dir)) {
		id, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		out[strings.TrimPrefix(name, "refs/")] = id
	}
	return out
}
