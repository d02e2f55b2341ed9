package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// BenchmarkFleetPreview is what a pull request costs that changes one field of one of 100 objects on 1,000 clusters, rendered
// and committed; and what it costs before it is rendered. Renders that can be remembered are.
func BenchmarkFleetPreview(b *testing.B) {
	testenv.Need(b, testenv.Git)
	b.Setenv(cli.CacheDirVariable, b.TempDir())
	root := b.TempDir()
	write := func(name, text string) {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
			b.Fatal(err)
		}
	}
	clusters := make([]string, 1000)
	for i := range clusters {
		clusters[i] = fmt.Sprintf("edge-%d", i)
	}
	write("Kptfile", previewKptfile)
	write("policy.yaml", previewPolicy)
	write("clusters.yaml", previewClusters(clusters...))
	web := func(i int, replicas string) string {
		return strings.Replace(edgeWeb(replicas, "web:1"), "name: web\n  namespace", fmt.Sprintf("name: web-%d\n  namespace", i), 1)
	}
	for i := range 100 {
		write(fmt.Sprintf("app/web-%d.yaml", i), web(i, "3"))
	}
	gittest.Git(b, root, "init", "--quiet")
	for _, replicas := range []string{"3", "4"} {
		write("app/web-50.yaml", web(50, replicas))
		benchRun(b, "fn", "render", root)
		gittest.Git(b, root, "add", "--all")
		gittest.Git(b, root, "-c", "user.name=T", "-c", "user.email=t@example.com", "commit", "--quiet", "--message", replicas)
	}
	bench := func(name string, args ...string) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if out := benchRun(b, append([]string{"fleet", "preview", "--dir", root}, args...)...); !strings.Contains(out, "1000 of 1000 clusters change. Objects: 1000 changed (") {
					b.Fatal(out)
				}
			}
		})
	}
	bench("rendered", "HEAD~1..HEAD")
	write("app/web-50.yaml", web(50, "5"))
	bench("unrendered")
}

func benchRun(b *testing.B, args ...string) string {
	b.Helper()
	var out, messages strings.Builder
	if code := execute(b.Context(), args, strings.NewReader(""), &out, &messages); code != exitDone {
		b.Fatalf("%q: exit code %d, %s", args, code, &messages)
	}
	return out.String()
}
