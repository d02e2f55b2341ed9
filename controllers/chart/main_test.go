package chart

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	ctrllog "sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/yaml"

	"github.com/waybill-dev/waybill/controllers/clustertest"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

func TestMain(m *testing.M) {
	ctrllog.SetLogger(logr.Discard()) // each cluster has its own
	os.Exit(m.Run())
}

// system is the namespace of the manifests.
const system = "waybill-system"

// run runs a program and returns what it prints.
func run(t testing.TB, program string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, args...) // #nosec G204 -- Helm or kubectl
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir())
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		return "", errors.New(strings.TrimSpace(said.String() + out.String()))
	}
	return out.String(), nil
}

// helm runs Helm.
func helm(t testing.TB, args ...string) (string, error) {
	t.Helper()
	testenv.Need(t, testenv.Helm)
	program, err := testenv.HelmProgram()
	if err != nil {
		t.Fatal(err)
	}
	return run(t, program, args...)
}

// values is a file with values.
func values(t testing.TB, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "values.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// rendered is what a release of this name gives.
func rendered(t testing.TB, release, text string) string {
	t.Helper()
	out, err := helm(t, "template", release, ".", "--namespace", system, "--values", values(t, text))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// kustomized is what kubectl makes of the manifests, with components of them.
func kustomized(t testing.TB, components ...string) string {
	t.Helper()
	testenv.Need(t, testenv.APIServer)
	programs, _, err := testenv.APIServerPrograms.Dir()
	if err != nil {
		t.Fatal(err)
	}
	out, err := run(t, filepath.Join(programs, "kubectl"), "kustomize", clustertest.Kustomization(t, "../manifests", components...))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// objects are those of a stream, by kind, namespace and name.
func objects(t testing.TB, stream string) map[string]*unstructured.Unstructured {
	t.Helper()
	out := map[string]*unstructured.Unstructured{}
	for _, text := range strings.Split("\n"+stream, "\n---\n") {
		var object map[string]any
		if err := yaml.UnmarshalStrict([]byte(text), &object); err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		if len(object) == 0 {
			continue
		}
		u := &unstructured.Unstructured{Object: object}
		id := strings.Join([]string{u.GetKind(), u.GetNamespace(), u.GetName()}, " ")
		if out[id] != nil {
			t.Fatalf("%s is there twice", id)
		}
		out[id] = u
	}
	return out
}

// named are the names of the objects of a kind, sorted.
func named(all map[string]*unstructured.Unstructured, kind string) (names []string) {
	for _, u := range all {
		if u.GetKind() == kind {
			names = append(names, strings.TrimPrefix(u.GetNamespace()+"/"+u.GetName(), "/"))
		}
	}
	slices.Sort(names)
	return names
}
