package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// fleetPage is the part of the data of a page of fleet report that the simulation compares; pkg/fleet/html says what it is.
type fleetPage struct {
	Policies []string
	Lists    [][]int    // objects
	Loads    [][][4]int // a policy, a work, a file, and a list
	Objects  []pageObject
	Clusters []pageCluster
	Changes  struct {
		Groups []struct {
			Object int
			Change string
			Ways   []struct{ Clusters []int } // the first of a row of clusters, and how many; and so on
		}
	}
}

type (
	pageObject  struct{ kind, name string }
	pageCluster struct {
		name  string
		loads int
	}
)

func (o *pageObject) UnmarshalJSON(text []byte) error {
	return json.Unmarshal(text, &[3]any{&o.kind, new(json.RawMessage), &o.name})
}

func (c *pageCluster) UnmarshalJSON(text []byte) error {
	return json.Unmarshal(text, &[3]any{&c.name, new(json.RawMessage), &c.loads})
}

// id is the object as this simulation names objects: a work itself is its kind alone.
func (o pageObject) id() string {
	if o.kind == "ManifestWork" {
		return o.kind
	}
	return o.kind + "/" + o.name
}

// drawn has waybill draw the fleet, and compares the page with the model, and with what changed.
func (s *simulation) drawn(changes map[changed]bool, sides ...string) error {
	const name = "report.html"
	if _, err := s.waybill("report", 0, append([]string{"fleet", "report", "-o", name}, sides...)...); err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(s.dir, name)) // #nosec G304 -- a file of our own folder
	if err != nil {
		return err
	}
	page, err := readPage(string(text))
	if err != nil {
		return s.law(lawReport, false, "%v", err)
	}
	if err := s.checkDrawn(page, changes); err != nil {
		return err
	}
	return s.compare(lawReport, "page", page.changes(), changes)
}

func readPage(text string) (*fleetPage, error) {
	_, rest, begins := strings.Cut(text, `<script type="application/json" id="data">`)
	data, _, ends := strings.Cut(rest, "</script>")
	if !begins || !ends {
		return nil, errors.New("the page has no data")
	}
	page := &fleetPage{}
	return page, json.Unmarshal([]byte(data), page)
}

// checkDrawn wants the page to have every cluster, and on each every object of each policy, and no other ones. Clusters that lose
// their works are there, too, and receive nothing.
func (s *simulation) checkDrawn(page *fleetPage, changes map[changed]bool) error {
	e, loads, got, count := s.model.ofFleet(), page.received(), map[string]string{}, 0
	for _, c := range page.Clusters {
		if got[c.name] = loads[c.loads]; got[c.name] != "" || !changes[changed{c.name, "removed", "ManifestWork"}] {
			count++
		}
	}
	if count != len(e.clusters) {
		return s.law(lawReport, false, "it has %d clusters, want %d", count, len(e.clusters))
	}
	want := map[string]string{} // by policies
	for _, c := range e.clusters {
		policies := strings.Join(e.receives(c), " ")
		if _, known := want[policies]; !known {
			want[policies] = e.list(e.receives(c))
		}
		if got[c.name] != want[policies] {
			return s.law(lawReport, false, "%s receives\n%s\nwant\n%s", c.name, head(got[c.name]), head(want[policies]))
		}
	}
	return s.law(lawReport, true, "")
}

// received are what clusters receive by the numbers of their loads, as list says it.
func (p *fleetPage) received() []string {
	out := make([]string, len(p.Loads))
	for i, loads := range p.Loads {
		var lines []string
		for _, load := range loads {
			for _, o := range p.Lists[load[3]] {
				if id := p.Objects[o].id(); id != "ManifestWork" {
					lines = append(lines, p.Policies[load[0]]+": "+id+"\n")
				}
			}
		}
		slices.Sort(lines)
		out[i] = strings.Join(lines, "")
	}
	return out
}

// list says what some policies bring, one line for each object, sorted.
func (e expectation) list(policies []string) string {
	var lines []string
	for _, o := range e.objects {
		if policy := o.fields["set"]; slices.Contains(policies, policy) {
			lines = append(lines, fmt.Sprintf("%s: %s/%s\n", policy, o.kind, o.name))
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "")
}

// changes are what the page says that changes.
func (p *fleetPage) changes() map[changed]bool {
	out := map[changed]bool{}
	for _, g := range p.Changes.Groups {
		for _, w := range g.Ways {
			for i := 0; i+1 < len(w.Clusters); i += 2 {
				for n := range w.Clusters[i+1] {
					out[changed{p.Clusters[w.Clusters[i]+n].name, g.Change, p.Objects[g.Object].id()}] = true
				}
			}
		}
	}
	return out
}
