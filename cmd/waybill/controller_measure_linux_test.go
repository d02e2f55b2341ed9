package main

import (
	"bufio"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"

	"k8s.io/client-go/rest"
)

// runController starts a controller of the fleet, as it runs in a pod: with the garbage collection that it sets itself.
func (f *clusterFleet) runController(flags ...string) *process {
	f.Helper()
	args := append([]string{"controller", "--kubeconfig", f.kubeconfig, "--namespace", f.namespace, "--runtime", "inproc", "--log-format", "text"}, flags...)
	return startProcess(f, args...)
}

// memory are the resident and the highest resident memory of a process, in MiB.
func (f *clusterFleet) memory(p *process) (now, highest float64) {
	f.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		f.Fatal(err)
	}
	for _, field := range []struct {
		name string
		into *float64
	}{{"VmRSS", &now}, {"VmHWM", &highest}} {
		found := regexp.MustCompile(field.name + `:\s+(\d+) kB`).FindSubmatch(text)
		if found == nil {
			f.Fatalf("no %s in %s", field.name, text)
		}
		kib, _ := strconv.ParseFloat(string(found[1]), 64)
		*field.into = kib / 1024
	}
	return now, highest
}

// forgetPeak has the highest resident memory of a process begin anew.
func (f *clusterFleet) forgetPeak(p *process) {
	f.Helper()
	if err := os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", p.cmd.Process.Pid), []byte("5"), 0); err != nil {
		f.Fatal(err)
	}
}

// processorTime is what a process has used.
func (f *clusterFleet) processorTime(p *process) time.Duration {
	f.Helper()
	return runningPrograms(f)[strconv.Itoa(p.cmd.Process.Pid)].used
}

var requestLine = regexp.MustCompile(`^apiserver_request_total\{(.*)\} (\S+)$`)

// requests are how many requests for objects of packages the API server has answered, by verb and resource, without those of this test.
func (f *clusterFleet) requests() map[string]int {
	f.Helper()
	asAdmin, err := rest.HTTPClientFor(f.Admin())
	if err != nil {
		f.Fatal(err)
	}
	defer asAdmin.CloseIdleConnections()
	answer, err := asAdmin.Get(f.Admin().Host + "/metrics")
	if err != nil {
		f.Fatal(err)
	}
	defer answer.Body.Close()
	out := map[string]int{"LIST packagevariants": -f.lists}
	lines := bufio.NewScanner(answer.Body)
	for lines.Buffer(nil, 1<<20); lines.Scan(); {
		found := requestLine.FindStringSubmatch(lines.Text())
		if found == nil {
			continue
		}
		labels := map[string]string{}
		for _, label := range regexp.MustCompile(`(\w+)="([^"]*)"`).FindAllStringSubmatch(found[1], -1) {
			labels[label[1]] = label[2]
		}
		switch labels["group"] {
		case "config.porch.kpt.dev", "waybill.dev", "events.k8s.io", "coordination.k8s.io":
			n, _ := strconv.ParseFloat(found[2], 64)
			out[strings.TrimSuffix(labels["verb"]+" "+labels["resource"]+"/"+labels["subresource"], "/")] += int(n)
		}
	}
	return out
}

// since are the requests since an earlier count, without those for nothing.
func since(before, now map[string]int) (difference map[string]int, sum int) {
	difference = map[string]int{}
	for what, n := range now {
		if n -= before[what]; n != 0 && !strings.HasPrefix(what, "WATCH") && !strings.HasSuffix(what, " leases") {
			difference[what], sum = n, sum+n
		}
	}
	return difference, sum
}
