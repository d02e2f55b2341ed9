package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

const (
	stepsHeader = "| step | steps | preview | render, reconcile | report | all commands | processor | peak memory | Git | pushed |\n" +
		"|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n"
	commandsHeader = "| command | runs | min | median | max | longest in | processor | peak memory | Git | pushed |\n" +
		"|---|---:|---:|---:|---:|---|---:|---:|---:|---:|\n"
)

// text is the report as Markdown.
func (r *report) text() string {
	var out strings.Builder
	all := time.Duration(r.Seconds * float64(time.Second))
	fmt.Fprintf(&out, "%d clusters, %d objects, seed %d, %d steps: %s, of which the simulation itself took %s. Commands killed: %d.\n\n",
		r.Clusters, r.Objects, r.Seed, r.Steps, seconds(all), seconds(all-r.measured()), r.Killed)
	out.WriteString("Steps:\n\n" + stepsHeader)
	for _, k := range slices.Concat([]kind{{name: startFleet}, {name: startVariants}}, kinds) {
		out.WriteString(r.stepsRow(k.name))
	}
	isFloor := func(row *row) bool { return row.Step == floorKind }
	out.WriteString("\nCommands of all steps:\n\n" + r.commands(func(row *row) bool { return !isFloor(row) }))
	out.WriteString("\nFloors, for the works as plain files:\n\n" + r.commands(isFloor))
	out.WriteString("\n| law | checks |\n|---|---:|\n")
	for _, law := range sortedKeys(r.Laws) {
		fmt.Fprintf(&out, "| %s | %d |\n", law, r.Laws[law])
	}
	for _, name := range sortedKeys(r.Commits) {
		fmt.Fprintf(&out, "\n%s ends at commit `%s`.", name, r.Commits[name])
	}
	out.WriteString("\n")
	return out.String()
}

// stepsRow is the line of a kind of steps, if there were any: what all commands of a step took, and three of them alone.
func (r *report) stepsRow(kind string) string {
	steps := r.steps(kind)
	if len(steps) == 0 {
		return ""
	}
	alone := func(commands ...string) string {
		for _, row := range r.Rows {
			if row.Step == kind && slices.Contains(commands, row.Command) {
				return seconds(time.Duration(median(row.Runs, wall)))
			}
		}
		return ""
	}
	return fmt.Sprintf("| %s | %d | %s | %s | %s | %s | %s", kind, len(steps), alone("preview"), alone("render", "reconcile"), alone("report"),
		seconds(time.Duration(median(steps, wall))), lastColumns(steps))
}

// steps are what the steps of a kind took: the sum of their commands, and the most memory that one of these held.
func (r *report) steps(kind string) []cost {
	by := map[int]cost{}
	for _, row := range r.Rows {
		for _, c := range row.Runs {
			if row.Step == kind {
				sum := by[c.Step]
				by[c.Step] = cost{c.Step, sum.Wall + c.Wall, sum.CPU + c.CPU, max(sum.Peak, c.Peak), sum.Git + c.Git, sum.Push + c.Push}
			}
		}
	}
	return slices.Collect(maps.Values(by))
}

// commands is a table with a line for each command of some rows.
func (r *report) commands(of func(*row) bool) string {
	var names []string
	runs, longest := map[string][]cost{}, map[string]string{}
	for _, row := range r.Rows {
		if !of(row) {
			continue
		}
		before := runs[row.Command]
		if before == nil {
			names = append(names, row.Command)
		}
		if before == nil || slices.MaxFunc(row.Runs, byWall).Wall > slices.MaxFunc(before, byWall).Wall {
			longest[row.Command] = row.Step
		}
		runs[row.Command] = append(before, row.Runs...)
	}
	text := commandsHeader
	for _, name := range names {
		walls := sorted(runs[name], wall)
		text += fmt.Sprintf("| %s | %d | %s | %s | %s | %s | %s", name, len(walls), seconds(time.Duration(walls[0])),
			seconds(time.Duration(walls[len(walls)/2])), seconds(time.Duration(walls[len(walls)-1])), longest[name], lastColumns(runs[name]))
	}
	return text
}

func byWall(a, b cost) int { return cmp.Compare(a.Wall, b.Wall) }
func wall(c cost) int64    { return int64(c.Wall) }
func sorted(all []cost, of func(cost) int64) []int64 {
	var values []int64
	for _, c := range all {
		values = append(values, of(c))
	}
	slices.Sort(values)
	return values
}

func median(all []cost, of func(cost) int64) int64 { return sorted(all, of)[len(all)/2] }

// lastColumns are those that tables of costs end with: medians, except that of memory the most counts.
func lastColumns(all []cost) string {
	peak := sorted(all, func(c cost) int64 { return c.Peak })
	return fmt.Sprintf("%s | %s | %s | %s |\n", seconds(time.Duration(median(all, func(c cost) int64 { return int64(c.CPU) }))),
		size(peak[len(peak)-1]), size(median(all, func(c cost) int64 { return c.Git })), size(median(all, func(c cost) int64 { return c.Push })))
}

// seconds is a time as people read it.
func seconds(d time.Duration) string {
	switch {
	case d >= time.Minute:
		return fmt.Sprintf("%d min %d s", d/time.Minute, d%time.Minute/time.Second)
	case d >= 10*time.Second:
		return fmt.Sprintf("%.0f s", d.Seconds())
	}
	return fmt.Sprintf("%.2f s", d.Seconds())
}

// size is a number of bytes as people read it, and nothing for none.
func size(bytes int64) string {
	switch {
	case bytes == 0:
		return ""
	case bytes < 1e6:
		return fmt.Sprintf("%.1f kB", float64(bytes)/1e3)
	case bytes < 10e6:
		return fmt.Sprintf("%.1f MB", float64(bytes)/1e6)
	}
	return fmt.Sprintf("%.0f MB", float64(bytes)/1e6)
}
