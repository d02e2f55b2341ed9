package main

import (
	"path/filepath"
	"strings"
)

// change edits the fleet's package and delivers it.
func (s *simulation) change(files map[string]string) error {
	if err := writeFiles(s.shop(), files); err != nil {
		return err
	}
	return s.deliver(s.push)
}

// deliver does with the work tree what a team does: preview, render, commit, report, push. It checks the laws on the way.
func (s *simulation) deliver(push func() error) error {
	named, err := s.preview("fleet/shop")
	if err != nil {
		return err
	}
	tree, err := s.render("")
	if err != nil {
		return err
	}
	if err := s.renderAgain(tree); err != nil {
		return err
	}
	happened, err := s.diffWorks(s.fleet(), "HEAD^{tree}", tree)
	if err != nil {
		return err
	}
	if err := s.checkPreview(named, happened); err != nil {
		return err
	}
	if err := s.checkClusters(s.shop(), s.model.ofFleet()); err != nil {
		return err
	}
	if _, err := s.git(s.fleet(), "commit", "--quiet", "--allow-empty", "--message", s.kind); err != nil {
		return err
	}
	if err := s.drawn(happened, "HEAD^..HEAD", "--dir", "fleet/shop"); err != nil {
		return err
	}
	if err := push(); err != nil {
		return err
	}
	return s.forgetSome()
}

// render renders the fleet without the cache, which knows the result since the preview, and returns the tree of all files.
func (s *simulation) render(what string) (tree string, err error) {
	if _, err := s.waybill("render"+what, 0, "fn", "render", "--no-cache", "fleet/shop"); err != nil {
		return "", err
	}
	return s.stage("git add" + what)
}

// renderAgain renders what is rendered already.
func (s *simulation) renderAgain(tree string) error {
	if _, err := s.waybill("render again", 0, "fn", "render", "fleet/shop"); err != nil {
		return err
	}
	if _, err := s.git(s.fleet(), "add", "--all"); err != nil {
		return err
	}
	again, err := s.tree()
	if err != nil {
		return err
	}
	return s.law(lawAgain, tree == again, "the files of %s are tree %s, and %s after a second render", s.shop(), tree, again)
}

func (s *simulation) push() error {
	return s.must("git push", s.command(s.fleet(), "git", "push", "--quiet", "origin", "main"))
}

// forgetSome bounds the history: every fourth commit, all but the last two are dropped here and on the server.
func (s *simulation) forgetSome() error {
	if s.step%4 != 0 || s.step == 0 {
		return nil
	}
	for _, repo := range []string{s.fleet(), filepath.Join(s.dir, "fleet.git")} {
		if err := s.forget(repo, "main~1"); err != nil {
			return err
		}
	}
	return nil
}

// begin makes the fleet, and delivers it for the first time; then come the variants.
func (s *simulation) begin() error {
	if err := s.prepare(); err != nil {
		return err
	}
	if err := s.deliverFirst(); err != nil {
		return err
	}
	s.kind = startVariants
	return s.beginVariants()
}

// prepare publishes the packages, gets one of them, and adds the fleet's clusters to it.
func (s *simulation) prepare() error {
	if err := writeFiles(s.dir, map[string]string{"gitconfig": gitconfig}); err != nil {
		return err
	}
	for _, name := range []string{"upstream.git", "fleet.git", "deployments.git"} {
		if err := s.bare(name); err != nil {
			return err
		}
	}
	for dir, repo := range map[string]string{"upstream": "upstream.git", "fleet": "fleet.git"} {
		if err := s.checkout(dir, repo); err != nil {
			return err
		}
	}
	if err := s.publishFirst(); err != nil {
		return err
	}
	if _, err := s.waybill("pkg get", 0, "pkg", "get", host+"upstream.git/shop@shop/v1", "fleet/shop"); err != nil {
		return err
	}
	return writeFiles(s.shop(), s.model.fleetFiles())
}

// deliverFirst is deliver where there is no commit to compare with.
func (s *simulation) deliverFirst() error {
	tree, err := s.render("")
	if err != nil {
		return err
	}
	if err := s.renderAgain(tree); err != nil {
		return err
	}
	if err := s.checkClusters(s.shop(), s.model.ofFleet()); err != nil {
		return err
	}
	if _, err := s.git(s.fleet(), "commit", "--quiet", "--message", s.kind); err != nil {
		return err
	}
	if err := s.drawn(nil, "fleet/shop"); err != nil {
		return err
	}
	return s.push()
}

// ids notes the commits at the end, by which two runs can be compared.
func (s *simulation) ids() error {
	for _, repo := range []string{"fleet.git", "deployments.git"} {
		id, err := s.git(filepath.Join(s.dir, repo), "rev-parse", "main")
		if err != nil {
			return err
		}
		s.report.Commits[strings.TrimSuffix(repo, ".git")] = strings.TrimSpace(id)
	}
	return nil
}
