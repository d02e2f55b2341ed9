package main

import (
	"encoding/json"
	"io"
	"time"
)

// report is what a simulation measured, and what -o json prints.
type report struct {
	Clusters int               `json:"clusters"`
	Objects  int               `json:"objects"`
	Steps    int               `json:"steps"`
	Seed     uint64            `json:"seed"`
	Seconds  float64           `json:"seconds"` // of all steps
	Killed   int               `json:"killed"`  // commands that a fault ended
	Commits  map[string]string `json:"commits"` // of main at the end, by repository
	Laws     map[string]int    `json:"laws"`    // how often each was checked
	Rows     []*row            `json:"rows"`
	command  string
}

// row are the runs of one command in steps of one kind.
type row struct {
	Step    string `json:"step"`
	Command string `json:"command"`
	Runs    []cost `json:"runs"`
}

func newReport(o options) *report {
	return &report{Clusters: o.clusters, Objects: o.objects, Seed: o.seed, Laws: map[string]int{},
		Commits: map[string]string{}, command: o.repeat()}
}

func (r *report) row(step, command string) *row {
	for _, row := range r.Rows {
		if row.Step == step && row.Command == command {
			return row
		}
	}
	r.Rows = append(r.Rows, &row{Step: step, Command: command})
	return r.Rows[len(r.Rows)-1]
}

// measured is how long the commands of the steps ran. The simulation itself took the rest of the time.
func (r *report) measured() (all time.Duration) {
	for _, row := range r.Rows {
		if row.Step == floorKind {
			continue
		}
		for _, c := range row.Runs {
			all += c.Wall
		}
	}
	return all
}

// add adds a run.
func (r *report) add(step, command string, c cost) {
	row := r.row(step, command)
	row.Runs = append(row.Runs, c)
}

// grew notes what a repository grew by in the last run of a command. Objects that were there already may be packed anew: that is no growth.
func (r *report) grew(step, command string, bytes int64) {
	row := r.row(step, command)
	if n := len(row.Runs); n > 0 {
		row.Runs[n-1].Git = max(0, bytes)
	}
}

// print prints the report for people, or for programs.
func (r *report) print(out io.Writer, how string) error {
	if how == "json" {
		encoder := json.NewEncoder(out)
		encoder.SetIndent("", "  ")
		return encoder.Encode(r)
	}
	_, err := io.WriteString(out, r.text())
	return err
}
