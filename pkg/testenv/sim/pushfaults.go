package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
)

// killReconcile kills a reconcile while it pushes, before or after the server has what it pushed, and reconciles again.
func (s *simulation) killReconcile() error {
	if err := s.releaseAgents(); err != nil {
		return err
	}
	return s.variants(func() error {
		want, err := s.refsWithoutFault()
		if err != nil {
			return err
		}
		if err := s.killedReconcile(); err != nil {
			return err
		}
		if err := s.reconcile(); err != nil {
			return err
		}
		got, err := s.refs("refs")
		if err != nil {
			return err
		}
		return s.law(lawRepeat, maps.Equal(got, want), "refs after the second reconcile: %v, without the fault %v", got, want)
	}, s.approve)
}

// killedReconcile kills a reconcile while it pushes. Every ref must still be there.
func (s *simulation) killedReconcile() error {
	before, err := s.refs("refs")
	if err != nil {
		return err
	}
	ctx, kill := context.WithCancel(s.ctx)
	defer kill()
	arrives := s.random.IntN(2) == 0
	hook := func() bool { kill(); return arrives }
	s.server.onPush.Store(&hook)
	out, err := s.measured("reconcile, killed", s.killable(ctx, s.dir, s.binary, "reconcile", "-f", "variants"))
	if err != nil {
		return err
	}
	if s.server.onPush.Swap(nil) != nil {
		return errors.New("reconcile pushed nothing, so that it was not killed")
	}
	if out.code != 0 {
		s.report.Killed++
	}
	after, err := s.refs("refs")
	if err != nil {
		return err
	}
	for name := range before {
		if err := s.law(lawKeep, after[name] != "", "a reconcile that was killed deleted %s", name); err != nil {
			return err
		}
	}
	return nil
}

// refsWithoutFault reconciles against a copy of the deployments, which has the same address for it.
func (s *simulation) refsWithoutFault() (map[string]string, error) {
	copied := filepath.Join(s.dir, "copy.git")
	if err := os.CopyFS(copied, os.DirFS(s.deployments())); err != nil {
		return nil, err
	}
	defer os.RemoveAll(copied)
	s.server.instead.Store("copy.git")
	defer s.server.instead.Store("")
	out, err := s.measured("reconcile without the fault", s.command(s.dir, s.binary, "reconcile", "-f", "variants"))
	if err != nil {
		return nil, err
	}
	if err := s.law(lawExit, out.code == 0, "reconcile: exit code %d: %s", out.code, tail(out.stderr)); err != nil {
		return nil, err
	}
	return s.refsOf(copied, "refs")
}

// overtakeApproval has another client commit to the main branch while an approval pushes there.
func (s *simulation) overtakeApproval() error {
	if err := s.releaseAgents(); err != nil {
		return err
	}
	return s.variants(s.reconcile, func() error {
		other := s.overtake("deployments.git")
		out, err := s.measured("approve, overtaken", s.command(s.dir, s.binary, approval...))
		if err != nil {
			return err
		}
		if out.code != 0 {
			if err := s.approve(); err != nil {
				return err
			}
		}
		return s.kept("deployments.git", other)
	})
}

// overtakePush has another client push while ours does. Ours is refused, takes the other's commit in, and pushes again.
func (s *simulation) overtakePush() error {
	name := s.pick(s.model.local.names(deployment))
	files, err := s.edited(name, "image", s.newImage(name))
	if err != nil {
		return err
	}
	if err := writeFiles(s.shop(), files); err != nil {
		return err
	}
	return s.deliver(func() error {
		other := s.overtake("fleet.git")
		out, err := s.measured("git push, overtaken", s.command(s.fleet(), "git", "push", "--quiet", "origin", "main"))
		if err != nil {
			return err
		}
		if err := s.law(lawOthers, out.code != 0, "a push over the commit of another client was not refused"); err != nil {
			return err
		}
		if _, err := s.git(s.fleet(), "pull", "--quiet", "--rebase", "origin", "main"); err != nil {
			return err
		}
		if err := s.push(); err != nil {
			return err
		}
		return s.kept("fleet.git", other)
	})
}

// overtake has another client commit to the main branch of a repository as soon as something is pushed there. The id of the
// commit is sent when that has happened.
func (s *simulation) overtake(repo string) <-chan string {
	other := make(chan string, 1)
	commit := func() {
		message := fmt.Sprintf("commit refs/heads/main\ncommitter Other <other@example.com> %d +0000\ndata 6\nother\n\n"+
			"from refs/heads/main^0\nM 100644 inline other/%d.txt\ndata 6\nother\n\n", s.now().Unix(), s.step)
		cmd := s.command(filepath.Join(s.dir, repo), "git", "fast-import", "--quiet")
		cmd.Stdin = strings.NewReader(message)
		if err := cmd.Run(); err != nil {
			other <- err.Error()
			return
		}
		id, _ := s.git(filepath.Join(s.dir, repo), "rev-parse", "main")
		other <- strings.TrimSpace(id)
	}
	hook := func() bool { commit(); return true }
	s.server.onPush.Store(&hook)
	return other
}

// kept wants the commit of another client to be in the history of main.
func (s *simulation) kept(repo string, other <-chan string) error {
	select {
	case id := <-other:
		_, err := s.git(filepath.Join(s.dir, repo), "merge-base", "--is-ancestor", id, "main")
		return s.law(lawOthers, err == nil, "the commit %s of another client is not in main: %v", id, err)
	default:
		return s.law(lawOthers, false, "nothing was pushed, so that no client could be overtaken")
	}
}
