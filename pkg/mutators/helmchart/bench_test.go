package helmchart_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"sync"
	"testing"
	"time"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/mutators/helmchart"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// The benchmark's chart and fleet.
const benchTemplates, benchVariants = 40, 100

const benchHelpers = `{{- define "name" -}}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 63 | trimSuffix "-" }}{{- end -}}
{{- define "labels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}
`

// benchKinds are templates of one part of an application.
var benchKinds = []string{`{{- if .Values.enabled }}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "name" . }}-%[1]d
  labels: {{- include "labels" . | nindent 4 }}
spec:
  replicas: {{ .Values.replicas | default 1 }}
  selector:
    matchLabels: {{- include "labels" . | nindent 6 }}
  template:
    metadata:
      labels: {{- include "labels" . | nindent 8 }}
    spec:
      {{- with .Values.nodeSelector }}
      nodeSelector: {{- toYaml . | nindent 8 }}
      {{- end }}
      containers:
      - name: app
        image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
        envFrom: [{configMapRef: {name: {{ include "name" . }}-%[1]d}}]
        resources: {{- toYaml .Values.resources | nindent 10 }}
{{- end }}
`, `apiVersion: v1
kind: Service
metadata:
  name: {{ include "name" . }}-%[1]d
  labels: {{- include "labels" . | nindent 4 }}
spec:
  type: {{ .Values.service.type }}
  ports: [{port: {{ .Values.service.port }}, targetPort: http, protocol: TCP, name: http}]
  selector: {{- include "labels" . | nindent 4 }}
`, `apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ include "name" . }}-%[1]d
  labels: {{- include "labels" . | nindent 4 }}
automountServiceAccountToken: false
`, `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ include "name" . }}-%[1]d
  labels: {{- include "labels" . | nindent 4 }}
data:
  {{- range $name, $value := .Values.env }}
  {{ $name | upper }}: {{ tpl $value $ | quote }}
  {{- end }}
`}

const benchValues = `enabled: true
replicas: 2
image: {repository: registry.example.com/app}
service: {type: ClusterIP, port: 80}
nodeSelector: {kubernetes.io/os: linux}
env: {region: none, log_level: info, cache: "on", workers: "4"}
resources: {limits: {cpu: 500m, memory: 128Mi}, requests: {cpu: 100m, memory: 64Mi}}
`

// benchArchive is a chart of many templates.
func benchArchive(t testing.TB) []byte {
	t.Helper()
	files := map[string]string{"Chart.yaml": "apiVersion: v2\nname: web\nversion: 1.0.0\nappVersion: 1.2.3\n", "values.yaml": benchValues,
		"templates/_helpers.tpl": benchHelpers}
	for i := range benchTemplates {
		files[fmt.Sprintf("templates/part-%d.yaml", i)] = fmt.Sprintf(benchKinds[i%len(benchKinds)], i)
	}
	var out bytes.Buffer
	zipped := gzip.NewWriter(&out)
	archive := tar.NewWriter(zipped)
	for name, text := range files {
		err := archive.WriteHeader(&tar.Header{Name: "web/" + name, Mode: 0o644, Size: int64(len(text)), Typeflag: tar.TypeReg})
		if _, err2 := archive.Write([]byte(text)); err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
	}
	if err := errors.Join(archive.Close(), zipped.Close()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// variant is the input of one variant: each has a region of its own, and one of three sizes.
func variant(t testing.TB, archive []byte, i int) *fn.Input {
	t.Helper()
	return &fn.Input{Config: fntest.Parse(t, "config.yaml", fmt.Appendf(nil, `apiVersion: fn.kpt.dev/v1alpha1
kind: RenderHelmChart
metadata: {name: web}
helmCharts:
- chartArgs: {name: web, version: 1.0.0}
  templateOptions: {releaseName: web, namespace: web, values: {valuesInline: {replicas: %d, env: {region: region-%d}}}}
`, i%3+1, i))[0], Files: fn.Files{"charts/web-1.0.0.tgz": archive}}
}

// renderVariants renders a fleet, as a render of a fleet does: on all cores.
func renderVariants(t testing.TB, fleet []*fn.Input) {
	t.Helper()
	inputs := make(chan *fn.Input, len(fleet))
	for _, in := range fleet {
		inputs <- in
	}
	close(inputs)
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for in := range inputs {
				if out := helmchart.Function.Apply(t.Context(), in); len(out.Items) != benchTemplates || out.Failed() {
					t.Errorf("%d objects, %v", len(out.Items), out.Results)
				}
			}
		})
	}
	workers.Wait()
}

func benchFleet(t testing.TB) (fleet []*fn.Input) {
	archive := benchArchive(t)
	for i := range benchVariants {
		fleet = append(fleet, variant(t, archive, i))
	}
	return fleet
}

// TestFleet renders the fleet once. BenchmarkFleet runs it as a program, which collects garbage as waybill does.
func TestFleet(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	renderVariants(t, benchFleet(t))
}

// BenchmarkVariants renders the fleet with the function alone.
func BenchmarkVariants(b *testing.B) {
	fleet := benchFleet(b)
	b.ReportAllocs()
	for b.Loop() {
		renderVariants(b, fleet)
	}
}

// BenchmarkFleet renders a chart for many variants: with the function, in a program of its own, and with the real Helm in a loop,
// in the same run. It reports how many times as long and as much processor time Helm takes.
func BenchmarkFleet(b *testing.B) {
	testenv.Need(b, testenv.Helm)
	program, err := testenv.HelmProgram()
	if err != nil {
		b.Fatal(err)
	}
	dir := b.TempDir()
	file := filepath.Join(dir, "web-1.0.0.tgz")
	if err := os.WriteFile(file, benchArchive(b), 0o600); err != nil {
		b.Fatal(err)
	}
	var helm, ours cost
	for b.Loop() {
		ours.run(b, dir, os.Args[0], "-test.run", "^TestFleet$")
		for i := range benchVariants {
			helm.run(b, dir, program, "template", "web", file, "--namespace", "web",
				"--set", fmt.Sprintf("replicas=%d,env.region=region-%d", i%3+1, i))
		}
	}
	b.ReportMetric(helm.time.Seconds()/ours.time.Seconds(), "×helm_time")
	b.ReportMetric(helm.processor.Seconds()/ours.processor.Seconds(), "×helm_processor_time")
	if helm.time < 20*ours.time && helm.processor < 20*ours.processor {
		b.Errorf("Helm takes only %.1f times as long, and %.1f times the processor time", helm.time.Seconds()/ours.time.Seconds(),
			helm.processor.Seconds()/ours.processor.Seconds())
	}
}

// cost is what programs took.
type cost struct{ time, processor time.Duration }

func (c *cost) run(b *testing.B, dir, program string, args ...string) {
	b.Helper()
	cmd := exec.CommandContext(b.Context(), program, args...) // #nosec G204 -- Helm, or this test
	cmd.Env = append(os.Environ(), "HOME="+dir)
	began := time.Now()
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	c.time += time.Since(began)
	c.processor += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}
