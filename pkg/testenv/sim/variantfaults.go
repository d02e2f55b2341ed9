package main

import (
	"context"
	"maps"
	"os"
	"path/filepath"
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
		before, err := s.refs("refs")
		if err != nil {
			return err
		}
		ctx, kill := context.WithCancel(context.Background())
		defer kill()
		arrives := s.random.IntN(2) == 0
		hook := func() bool { kill(); return arrives }
		s.server.onPush.Store(&hook)
		out, err := s.measured("reconcile, killed", s.killable(ctx, s.dir, s.binary, "reconcile", "-f", "variants"))
		if err != nil {
			return err
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
		out, err := s.measured("approve, overtaken", s.command(s.dir, s.binary, "rpkg", "approve", "-f", "variants", "--lifecycle", "Proposed", "--yes"))
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
