package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
)

// changed is one difference for a cluster: added, removed or changed, and the object by kind and name.
type changed struct{ cluster, change, object string }

func (c changed) String() string { return c.cluster + ": " + c.change + " " + c.object }

// blob is a file of a commit; an id of zeros is none.
type blob struct{ before, after, path string }

var workPath = regexp.MustCompile(`(?:^|/)clusters/([^/]+)/[^/]+/[^/]+$`)

// diffWorks compares the works of two trees of a repository, cluster by cluster and object by object, by what git says differs.
func (s *simulation) diffWorks(repo, before, after string) (map[changed]bool, error) {
	out, err := s.git(repo, "diff-tree", "-r", "--raw", "--no-renames", "--no-abbrev", before, after)
	if err != nil {
		return nil, err
	}
	var blobs []blob
	for line := range strings.Lines(out) {
		fields, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		ids := strings.Fields(fields)
		if len(ids) == 5 && workPath.MatchString(name) {
			blobs = append(blobs, blob{ids[2], ids[3], name})
		}
	}
	changes := map[changed]bool{}
	err = s.texts(repo, blobs, func(b blob, before, after string) error {
		return compareWorks(workPath.FindStringSubmatch(b.path)[1], before, after, changes)
	})
	return changes, err
}

// compareWorks adds what differs between two texts of a work; an empty text is none.
func compareWorks(cluster, before, after string, changes map[changed]bool) error {
	sides := [2]map[string]string{}
	for i, text := range []string{before, after} {
		if text == "" {
			continue
		}
		var err error
		if sides[i], err = splitWork(text); err != nil {
			return err
		}
	}
	for key, old := range sides[0] {
		if now, still := sides[1][key]; !still {
			changes[changed{cluster, "removed", key}] = true
		} else if now != old {
			changes[changed{cluster, "changed", key}] = true
		}
	}
	for key := range sides[1] {
		if _, known := sides[0][key]; !known {
			changes[changed{cluster, "added", key}] = true
		}
	}
	return nil
}

// texts reads both sides of each blob, by one git.
func (s *simulation) texts(repo string, blobs []blob, each func(b blob, before, after string) error) error {
	cmd := s.command(repo, "git", "cat-file", "--batch", "--buffer")
	var ids strings.Builder
	for _, b := range blobs {
		ids.WriteString(b.before + "\n" + b.after + "\n")
	}
	cmd.Stdin = strings.NewReader(ids.String())
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	err = readTexts(bufio.NewReaderSize(out, 1<<20), blobs, each)
	if err != nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		return err
	}
	return cmd.Wait()
}

func readTexts(in *bufio.Reader, blobs []blob, each func(b blob, before, after string) error) error {
	for _, b := range blobs {
		var sides [2]string
		for i := range sides {
			head, err := in.ReadString('\n')
			if err != nil {
				return err
			}
			var id, kind string
			var size int
			if _, err := fmt.Sscan(head, &id, &kind, &size); err != nil { // of no file: "0000… missing"
				continue
			}
			text := make([]byte, size+1)
			if _, err := io.ReadFull(in, text); err != nil {
				return err
			}
			sides[i] = string(text[:size])
		}
		if err := each(b, sides[0], sides[1]); err != nil {
			return fmt.Errorf("%s: %w", path.Clean(b.path), err)
		}
	}
	return nil
}

// sortedKeys are the keys of a map, sorted.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// preview is the part of a FleetPreview that the simulation compares.
type preview struct {
	Summary struct{ Clusters, Added, Removed, Changed, Moved int }
	Groups  []struct {
		Change string
		Object struct{ Kind, Name string }
		Shapes []struct{ Clusters []string }
	}
}

// preview has waybill say what a change will do; args name the two sides.
func (s *simulation) preview(args ...string) (map[changed]bool, error) {
	out, err := s.waybill("preview", 0, append([]string{"fleet", "preview", "-o", "json"}, args...)...)
	if err != nil {
		return nil, err
	}
	var p preview
	if err := json.Unmarshal(out.stdout, &p); err != nil {
		return nil, err
	}
	named := map[changed]bool{}
	for _, g := range p.Groups {
		object := g.Object.Kind + "/" + g.Object.Name
		if g.Object.Kind == "ManifestWork" {
			object = g.Object.Kind
		}
		for _, shape := range g.Shapes {
			for _, cluster := range shape.Clusters {
				named[changed{cluster, g.Change, object}] = true
			}
		}
	}
	return named, nil
}

// checkPreview compares what the preview named with what happened.
func (s *simulation) checkPreview(named, happened map[changed]bool) error {
	return s.compare(lawPreview, "preview", named, happened)
}

// compare wants what a command named to be what happened.
func (s *simulation) compare(law, what string, named, happened map[changed]bool) error {
	var wrong []string
	for c := range named {
		if !happened[c] {
			wrong = append(wrong, "the "+what+" names what did not happen: "+c.String())
		}
	}
	for c := range happened {
		if !named[c] {
			wrong = append(wrong, "the "+what+" misses "+c.String())
		}
	}
	slices.Sort(wrong)
	return s.law(law, len(wrong) == 0, "%d of %d differences: %v", len(wrong), len(happened), wrong[:min(3, len(wrong))])
}
