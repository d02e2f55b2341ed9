package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	fnresult "github.com/kptdev/kpt/api/fnresult/v1"
	"sigs.k8s.io/yaml"
)

// differingResults compares what results.yaml of the two say, except for the differences in kpt-differences.md: for
// a failure that is not a function's kpt reports nothing, and it may have run functions before it.
func differingResults(t *testing.T, theirs, ours string, r cliRun) string {
	t.Helper()
	their, our := readResults(t, theirs), readResults(t, ours)
	if our == nil || our.ExitCode != r.code {
		return fmt.Sprintf("exit code %d and results.yaml %+v", r.code, our)
	}
	if ran := strings.Contains(r.stderr, "[RUNNING]"); !ran && len(our.Items) > 0 {
		return fmt.Sprintf("nothing ran, and results.yaml is %+v", our)
	} else if r.code != exitDone && (!ran || their == nil) {
		return ""
	}
	if their == nil {
		return "kpt wrote no results.yaml"
	}
	if n := len(their.Items); r.code != exitDone && their.ExitCode == 0 {
		their.ExitCode = r.code
		our.Items = slices.Concat(our.Items[:min(len(our.Items), n)]) // nil when empty
	}
	dropReason(their, our)
	if diff := cmp.Diff(their, our); diff != "" {
		return "results.yaml (-kpt +waybill):\n" + diff
	}
	return ""
}

// dropReason removes from the last result of ours why the output of a function is refused, where kpt says nothing.
func dropReason(their, our *fnresult.ResultList) {
	if n := len(their.Items); n > 0 && n == len(our.Items) && their.Items[n-1].Results == nil {
		last := &our.Items[n-1]
		if len(last.Results) == 1 && strings.Contains(last.Results[0].Message, "its output: ") {
			last.Results = nil
		}
	}
}

func readResults(t *testing.T, dir string) *fnresult.ResultList {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "results.yaml"))
	if os.IsNotExist(err) {
		return nil
	}
	list := &fnresult.ResultList{}
	if err == nil {
		err = yaml.Unmarshal(data, list)
	}
	if err != nil {
		t.Fatal(err)
	}
	return list
}
