package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/waybill-dev/waybill/controllers/packagevariant"
	"github.com/waybill-dev/waybill/controllers/packagevariantset"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig/v1alpha2"
)

// setRow is a set as it is printed. Files hold no variants of sets: what a set makes is made anew
// each time, and told as what it is, not as what was created.
type setRow struct {
	Kind       string                `json:"kind"`
	Namespace  string                `json:"namespace,omitempty"`
	Name       string                `json:"name"`
	Action     packagevariant.Action `json:"action"`
	Variants   []string              `json:"variants,omitempty"`
	Deleted    []string              `json:"deleted,omitempty"`
	Message    string                `json:"message,omitempty"`
	Conditions []metav1.Condition    `json:"conditions"`
}

func rowOf(rep packagevariantset.Report) setRow {
	row := setRow{
		Kind: v1alpha2.KindPackageVariantSet, Namespace: rep.Namespace, Name: rep.Name, Action: packagevariant.Unchanged,
		Variants: slices.Sorted(slices.Values(slices.Concat(rep.Created, rep.Updated))), Deleted: rep.Deleted, Conditions: rep.Conditions,
	}
	row.Message = plural(len(row.Variants), "variant")
	if n := len(rep.Deleted); n > 0 {
		row.Message += fmt.Sprintf("; %s no longer wanted", plural(n, "variant"))
	}
	if rep.Err != nil {
		row.Action, row.Message = packagevariant.Failed, oneLine(rep.Err)
	}
	return row
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

// print prints sets and then variants, with the table's header or without.
func (r *reconcile) print(w io.Writer, out passed, header bool) error {
	var rows [][]string
	data := make([]any, 0, len(out.sets)+len(out.variants))
	for _, rep := range out.sets {
		row := rowOf(rep)
		data = append(data, row)
		message := row.Message
		if rep.Err != nil {
			message = "see below"
		}
		rows = append(rows, []string{"set " + qualified(rep.Namespace, rep.Name), string(row.Action), "-", "-", "-", message})
	}
	for _, rep := range out.variants {
		data = append(data, rep)
		rows = append(rows, r.variantRow(rep))
	}
	head := []string{"VARIANT", "ACTION", "DRAFT", "UPSTREAM", "FILES", "MESSAGE"}
	if !header {
		head, rows = rows[0], rows[1:]
	}
	return r.out.print(w, data, head, rows)
}

func (r *reconcile) variantRow(rep packagevariant.Report) []string {
	action, files, message := string(rep.Action), "-", rep.Message
	if r.dryRun && changed(rep) {
		action = "would be " + action
	}
	if len(rep.Files) > 0 {
		files = strconv.Itoa(len(rep.Files))
	}
	if rep.Err != nil {
		message = "see below"
	}
	return []string{qualified(rep.Namespace, rep.Name), action, orDash(rep.Draft), orDash(rep.Upstream), files, message}
}

// complain says on stderr what failed, a line each.
func (r *reconcile) complain(talk io.Writer, out passed) {
	for _, o := range out.overlaps {
		fmt.Fprintf(talk, "warning: %s\n", o)
	}
	for _, b := range out.budgets {
		fmt.Fprintf(talk, "warning: change budget %s: %s\n", qualified(b.Namespace, b.Name), b.Text)
	}
	for _, rep := range out.sets {
		if rep.Err != nil {
			fmt.Fprintf(talk, "error: set %s: %s\n", qualified(rep.Namespace, rep.Name), oneLine(rep.Err))
		}
		for _, text := range rep.Unmatched {
			fmt.Fprintf(talk, "warning: set %s: %s\n", qualified(rep.Namespace, rep.Name), text)
		}
	}
	for _, rep := range out.variants {
		if rep.Err != nil {
			fmt.Fprintf(talk, "error: %s: %s\n", qualified(rep.Namespace, rep.Name), oneLine(rep.Err))
		}
	}
}

// verdict is the exit code.
func (r *reconcile) verdict(out passed) error {
	if err := r.trouble(out); err != nil {
		return err
	}
	if r.exitCode && slices.ContainsFunc(out.variants, changed) {
		return &exitError{code: exitFailed}
	}
	return nil
}

// trouble is the exit code of what failed. That a budget refused outweighs it: somebody has to decide.
func (r *reconcile) trouble(out passed) error {
	failed := slices.ContainsFunc(out.sets, func(rep packagevariantset.Report) bool { return rep.Err != nil }) ||
		slices.ContainsFunc(out.variants, func(rep packagevariant.Report) bool { return rep.Err != nil })
	refused := slices.ContainsFunc(out.variants, func(rep packagevariant.Report) bool { return rep.Action == packagevariant.Refused })
	switch {
	case refused:
		return &exitError{code: exitRefused}
	case failed && r.exitCode:
		return &exitError{code: exitUsage}
	case failed:
		return &exitError{code: exitFailed}
	}
	return nil
}

// changed reports whether a variant has another draft now, or would have.
func changed(rep packagevariant.Report) bool {
	return rep.Action == packagevariant.Created || rep.Action == packagevariant.Updated
}

func qualified(namespace, name string) string {
	if namespace == "" {
		return name
	}
	return namespace + "/" + name
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}
