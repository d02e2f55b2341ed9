package main

import (
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"
)

func (s *simulation) emptyInventory() error {
	return s.refused(inventory("clusters", localConfig, nil))
}

func (s *simulation) brokenInventory() error {
	text := inventory("clusters", localConfig, s.model.clusters)
	return s.refused(text[:len(text)*(1+s.random.IntN(8))/10] + "\n  - [")
}

// refused writes an inventory that no render may accept, and then the right one again.
func (s *simulation) refused(text string) error {
	const file = "inventory/clusters.yaml"
	right, err := os.ReadFile(filepath.Join(s.shop(), file))
	if err != nil {
		return err
	}
	if err := writeFiles(s.shop(), map[string]string{file: text}); err != nil {
		return err
	}
	for _, command := range [][]string{{"render, refused", "fn", "render"}, {"preview, refused", "fleet", "preview"}} {
		if _, err := s.waybill(command[0], 1, append(command[1:], "fleet/shop")...); err != nil {
			return err
		}
	}
	if err := writeFiles(s.shop(), map[string]string{file: string(right)}); err != nil {
		return err
	}
	return s.unchanged("a render that was refused")
}

// reference edits an image, renders that, and takes both back: it returns the edit, the tree that it should give, and how long
// that took.
func (s *simulation) reference(flags ...string) (redo func() error, tree string, took time.Duration, err error) {
	name := s.pick(s.model.local.names(deployment))
	files, err := s.edited(name, "image", s.newImage(name))
	if err != nil {
		return nil, "", 0, err
	}
	redo = func() error { return writeFiles(s.shop(), files) }
	if err := redo(); err != nil {
		return nil, "", 0, err
	}
	began := time.Now()
	if _, err := s.waybill("render without the fault", 0, append([]string{"fn", "render", "fleet/shop"}, flags...)...); err != nil {
		return nil, "", 0, err
	}
	took = time.Since(began)
	if tree, err = s.stage("git add"); err != nil {
		return nil, "", 0, err
	}
	if _, err := s.git(s.fleet(), "reset", "--quiet", "--hard"); err != nil {
		return nil, "", 0, err
	}
	return redo, tree, took, redo()
}

// same renders after a fault, and wants the tree of a render without one.
func (s *simulation) same(what, tree string) error {
	if _, err := s.waybill("render after the fault", 0, "fn", "render", "fleet/shop"); err != nil {
		return err
	}
	again, err := s.stage("git add")
	if err != nil {
		return err
	}
	if err := s.law(lawRepeat, again == tree, "%s: tree %s, without the fault %s", what, again, tree); err != nil {
		return err
	}
	return s.deliver(s.push)
}

// killRender kills renders at some moments, and renders again.
func (s *simulation) killRender() error {
	redo, tree, took, err := s.reference("--no-cache")
	if err != nil {
		return err
	}
	moments := rand.New(rand.NewPCG(s.seed, uint64(s.step))) // #nosec G404 -- of its own: how often it is asked depends on the machine
	for range 3 {
		if err := s.killedRender(time.Duration(float64(took) * moments.Float64() * 0.9)); err != nil {
			return err
		}
		if err := redo(); err != nil { // where the render was quicker, the next one has the same to do
			return err
		}
	}
	return s.same("a render that was killed", tree)
}

// killedRender kills a render after some time.
func (s *simulation) killedRender(after time.Duration) error {
	ctx, stop := context.WithTimeout(s.ctx, after)
	defer stop()
	out, err := s.measured("render, killed", s.killable(ctx, s.dir, s.binary, "fn", "render", "--no-cache", "fleet/shop"))
	if errors.Is(err, context.DeadlineExceeded) { // the moment came before the render began
		return nil
	}
	if err != nil {
		return err
	}
	if out.code != 0 {
		s.report.Killed++
	}
	return s.complete("a render that was killed")
}

// damageCache changes a byte in the middle of every entry of the cache, and renders what it knows.
func (s *simulation) damageCache() error {
	_, tree, _, err := s.reference()
	if err != nil {
		return err
	}
	err = filepath.WalkDir(filepath.Join(s.dir, "cache"), func(file string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		return flip(file)
	})
	if err != nil {
		return err
	}
	return s.same("a damaged cache", tree)
}

// flip changes one byte of a file.
func flip(name string) error {
	file, err := os.OpenFile(name, os.O_RDWR, 0) // #nosec G304 -- a file of our own folder
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || info.Size() == 0 {
		return err
	}
	one := make([]byte, 1)
	if _, err := file.ReadAt(one, info.Size()/2); err != nil {
		return err
	}
	one[0] ^= 0x20
	_, err = file.WriteAt(one, info.Size()/2)
	return err
}
