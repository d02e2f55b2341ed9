package local_test

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/controllers/local"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// TestBadWorld has something wrong with a variant, a repository or a package: one error, on one
// line, that says what and where, and no ref moves.
func TestBadWorld(t *testing.T) {
	edit := func(file string, oldnew ...string) func(*fleet) { return func(f *fleet) { f.edit(file, oldnew...) } }
	upstream := func(file string, oldnew ...string) func(*fleet) {
		return func(f *fleet) {
			f.release(2, map[string]*string{"shop/" + file: f.upstream("shop/"+file, oldnew...)})
			f.edit("eu.yaml", "revision: 1", "revision: 2")
		}
	}
	for name, tc := range map[string]struct {
		reason  string
		arrange func(f *fleet)
		want    string // ROOT is where the fleet is
	}{
		"no such package": {
			reason:  "the upstream package does not exist",
			arrange: edit("eu.yaml", "package: shop", "package: shoe"),
			want:    "eu failed: could not find upstream package revision 'shoe/v1' in repo 'blueprints'",
		},
		"no such revision": {
			reason:  "nor does the revision",
			arrange: edit("eu.yaml", "revision: 1", "revision: 7"),
			want:    "eu failed: could not find upstream package revision 'shop/v7' in repo 'blueprints'",
		},
		"no such workspace": {
			reason:  "nor the workspace",
			arrange: edit("eu.yaml", "revision: 1", "workspaceName: next"),
			want:    "eu failed: could not find upstream package revision 'shop/next' in repo 'blueprints'",
		},
		"no revision": {
			reason:  "no revision is named",
			arrange: edit("eu.yaml", "    revision: 1\n", ""),
			want:    `eu failed: spec.upstream must give workspaceName or revision: the placeholder revision of package "shop" in repo "blueprints" cannot be cloned`,
		},
		"no such Repository": {
			reason:  "the Repository object is not there",
			arrange: edit("eu.yaml", "repo: blueprints", "repo: blueprint"),
			want:    `eu failed: upstream: there is no Repository "blueprint" in namespace "fleet"`,
		},
		"Repository of another namespace": {
			reason:  "a variant uses the repositories of its namespace",
			arrange: edit("eu.yaml", "namespace: fleet", "namespace: other"),
			want:    `eu failed: upstream: there is no Repository "blueprints" in namespace "other"`,
		},
		"spec": {
			reason:  "every fault of the spec at once",
			arrange: edit("eu.yaml", "    repo: blueprints\n    package: shop\n", "", "      region: eu\n  pipeline", "      name: x\n  pipeline", "name: lyon", "name: ''"),
			want: `eu failed: missing required field spec.upstream.repo; missing required field spec.upstream.package; ` +
				`spec.packageContext.data: Invalid value: {"name":"x"}: must not contain the key "name"; spec.injectors[0].name must not be empty`,
		},
		"no such repository": {
			reason:  "nothing is there",
			arrange: edit("repositories.yaml", "../blueprints.git", "../none.git"),
			want:    `eu failed: upstream: repository fleet/blueprints: repository "ROOT/none.git" does not exist, or may not be seen`,
		},
		"no repository": {
			reason:  "a folder that is no repository",
			arrange: edit("repositories.yaml", "../blueprints.git", "."),
			want:    `eu failed: upstream: repository fleet/blueprints: repository "ROOT/fleet" does not exist, or may not be seen`,
		},
		"no such downstream": {
			reason:  "the downstream is named as such",
			arrange: edit("repositories.yaml", "../deployments.git", "file:///nowhere/at/all.git"),
			want:    `eu failed: downstream: repository fleet/deployments: repository "/nowhere/at/all.git" does not exist, or may not be seen`,
		},
		"no server": {
			reason:  "nobody answers",
			arrange: edit("repositories.yaml", "../deployments.git", "http://127.0.0.1:1/deployments.git"),
			want:    `eu failed: downstream: repository fleet/deployments: repository "http://127.0.0.1:1/deployments.git" cannot be reached: dial tcp 127.0.0.1:1: connect: connection refused`,
		},
		"not on the server": {
			reason: "the server has no such repository",
			arrange: func(f *fleet) {
				f.edit("repositories.yaml", "../deployments.git", gittest.NewHTTP(f, f.path("deployments.git"))+"x")
			},
			want: `eu failed: downstream: repository fleet/deployments: repository "URLx" does not exist, or may not be seen`,
		},
		"read only": {
			reason: "may be read, not written",
			arrange: func(f *fleet) {
				f.edit("repositories.yaml", "../deployments.git", gittest.NewHTTP(f, f.path("deployments.git"), gittest.ReadOnly()))
			},
			want: `eu failed: create draft of package "eu/shop", workspace "packagevariant-1": repository "URL": access denied with these credentials`,
		},
		"ssh": {
			reason:  "a form of address that is not spoken",
			arrange: edit("repositories.yaml", "../deployments.git", "git@example.com:fleet/deployments.git"),
			want:    `eu failed: downstream: repository fleet/deployments: repository "git@example.com:fleet/deployments.git": SSH is not supported: want a path, file, http or https`,
		},
		"oci": {
			reason:  "a kind of repository that is not spoken",
			arrange: edit("repositories.yaml", "type: git\n  deployment: true\n  git:\n    repo: ../deployments.git", "type: oci\n  oci:\n    registry: example.com/fleet"),
			want:    `eu failed: downstream: repository fleet/deployments: spec.type "oci": this release reads repositories of type "git"`,
		},
		"no type": {
			reason:  "a Repository that is wrong",
			arrange: edit("repositories.yaml", "  type: git\n  deployment: true\n", ""),
			want:    `eu failed: downstream: repository fleet/deployments: missing required field spec.type`,
		},
		"no such Secret": {
			reason:  "credentials that are not given",
			arrange: edit("repositories.yaml", "repo: ../deployments.git", "repo: ../deployments.git\n    secretRef:\n      name: token"),
			want:    `eu failed: downstream: repository fleet/deployments: secretRef: there is no Secret "token" in namespace "fleet"`,
		},
		"unknown Kptfile field": {
			reason:  "a Kptfile is read strictly",
			arrange: upstream("Kptfile", "pipeline:", "pipelines:"),
			want:    `eu failed: upstream blueprints.shop.v2: Kptfile: unknown field pipelines`,
		},
		"no KRM": {
			reason:  "a file that is no resource is named",
			arrange: upstream("app.yaml", "kind: ConfigMap\n", ""),
			want:    `eu failed: render package "shop": input resource list must contain only KRM resources: app.yaml: resource must have ` + "`kind`",
		},
		"broken YAML": {
			reason:  "file and line",
			arrange: upstream("app.yaml", `"hello"`, `"hello`),
			want:    "eu failed: upstream blueprints.shop.v2: app.yaml: document 1, line 6: not valid YAML: found unexpected end of stream",
		},
		"no Kptfile": {
			reason: "a tag on what is no package",
			arrange: func(f *fleet) {
				f.moveTo(2, map[string]*string{"shop/Kptfile": nil})
			},
			want: "eu failed: could not find upstream package revision 'shop/v2' in repo 'blueprints'",
		},
		"symbolic link": {
			reason: "what a package cannot hold",
			arrange: func(f *fleet) {
				dir := f.path("blueprints.git")
				work := f.path("work")
				gittest.Git(f, f.root, "clone", "--quiet", dir, work)
				if err := os.Symlink("/etc/passwd", work+"/shop/passwd.yaml"); err != nil {
					f.Fatal(err)
				}
				gittest.Git(f, work, "add", ".")
				gittest.Git(f, work, "-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "--quiet", "-m", "link")
				gittest.Git(f, work, "tag", "shop/v2")
				gittest.Git(f, work, "push", "--quiet", "origin", "shop/v2")
				f.edit("eu.yaml", "revision: 1", "revision: 2")
			},
			want: `eu failed: upstream blueprints.shop.v2: repository "ROOT/blueprints.git": package "shop" at COMMIT: passwd.yaml: a package cannot hold a symbolic link`,
		},
		"failing function": {
			reason:  "what the function found, and where",
			arrange: edit("eu.yaml", "example.com/note:v1", "example.com/refuse:v1"),
			want:    `eu failed: render package "shop": function "example.com/refuse:v1" (step 1): ConfigMap app (app.yaml) app is not to my taste`,
		},
		"unknown function": {
			reason:  "an image that cannot be run",
			arrange: edit("eu.yaml", "example.com/note:v1", "example.com/other:v1"),
			want:    `eu failed: render package "shop": function "example.com/other:v1" (step 1): image "example.com/other:v1" is not known here`,
		},
		"no package context": {
			reason:  "a context for a package that has none",
			arrange: edit("repositories.yaml", "  deployment: true\n", ""),
			want:    `eu failed: "package-context.yaml" not found in PackageRevisionResources 'fleet/deployments.eu.shop'`,
		},
		"injection point": {
			reason:  "an injection point that is wrong",
			arrange: upstream("site.yaml", "config-injection: required", "config-injection: please"),
			want:    `eu failed: errors in injection points: site.yaml: Site/site has invalid "kpt.dev/config-injection" annotation value of "please"`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFleet(t)
			tc.arrange(f)
			var got []string
			f.unmoved(tc.reason, func() { got = lines(f.reconcile()) })
			if diff := cmp.Diff([]string{tc.want}, f.anonymous(got)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if strings.Contains(strings.Join(got, ""), "\n") {
				t.Errorf("an error is one line; got %q", got)
			}
		})
	}
}

var commitID = regexp.MustCompile(`\b[0-9a-f]{40}\b`)

// anonymous replaces what differs between runs.
func (f *fleet) anonymous(lines []string) []string {
	url := ""
	if _, rest, ok := strings.Cut(f.read("repositories.yaml"), "repo: http://127.0.0.1:"); ok {
		url, _, _ = strings.Cut("http://127.0.0.1:"+rest, "\n")
	}
	for i, s := range lines {
		s = strings.ReplaceAll(s, f.root, "ROOT")
		s = commitID.ReplaceAllString(s, "COMMIT")
		if url = strings.TrimSuffix(url, "x"); len(url) > 0 && !strings.Contains(url, ":1/") {
			s = strings.ReplaceAll(s, url, "URL")
		}
		lines[i] = s
	}
	return lines
}

// TestBadFiles has something wrong with what -f names: nothing is done at all, and the error says
// in which file, and where in it.
func TestBadFiles(t *testing.T) {
	append := func(text string) func(*fleet) {
		return func(f *fleet) { f.edit("eu.yaml", "name: lyon\n", "name: lyon\n---\n"+text) }
	}
	file := func(name, text string) func(*fleet) { return func(f *fleet) { f.write(name, text) } }
	for name, tc := range map[string]struct {
		reason  string
		arrange func(f *fleet)
		want    string
	}{
		"broken YAML":    {"file, document, line", file("x.yaml", "a: 1\n---\na: [\n"), "ROOT/fleet/x.yaml: document 2, line 4: not valid YAML: did not find expected node content"},
		"no object":      {"a list at the top", file("x.yaml", "- a\n"), "ROOT/fleet/x.yaml: document 1, line 1: is not an object (a mapping of fields)"},
		"text":           {"text is no object", file("x.yaml", "hello\n"), "ROOT/fleet/x.yaml: document 1, line 1: is not an object (a mapping of fields)"},
		"no name":        {"an object without identity", append("apiVersion: v1\nkind: ConfigMap\n"), "ROOT/fleet/eu.yaml: document 2, line 27: an object needs apiVersion, kind and metadata.name"},
		"unknown field":  {"a misspelt field", file("x.yaml", "apiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\nmetadata:\n  name: x\nspec:\n  upstreams: {}\n"), `ROOT/fleet/x.yaml: document 1, line 1: PackageVariant x: spec.upstreams: Forbidden: unknown field`},
		"wrong type":     {"a field of another type", func(f *fleet) { f.edit("eu.yaml", "revision: 1", "revision: v1") }, `ROOT/fleet/eu.yaml: document 1, line 1: PackageVariant fleet/eu: spec.upstream.revision: Invalid value: want a whole number, got text`},
		"twice":          {"an object given twice", append("apiVersion: infra.example/v1\nkind: Site\nmetadata:\n  name: lyon\n  namespace: fleet\n"), "ROOT/fleet/eu.yaml: document 2, line 27: Site fleet/lyon is given twice; it stands in ROOT/fleet/context.yaml: document 1, line 1, too"},
		"twice, default": {"no namespace is namespace default", file("x.yaml", "apiVersion: v1\nkind: A\nmetadata:\n  name: a\n---\napiVersion: v1\nkind: A\nmetadata:\n  name: a\n  namespace: default\n"), "ROOT/fleet/x.yaml: document 2, line 6: A default/a is given twice; it stands in ROOT/fleet/x.yaml: document 1, line 1, too"},
		"set":            {"a kind that is not reconciled yet", append("apiVersion: config.porch.kpt.dev/v1alpha2\nkind: PackageVariantSet\nmetadata:\n  name: all\n"), `ROOT/fleet/eu.yaml: document 2, line 27: this release does not reconcile PackageVariantSet objects; leave "all" out`},
		"old version":    {"a version that is not spoken", func(f *fleet) { f.edit("eu.yaml", "v1alpha1", "v1alpha9") }, `ROOT/fleet/eu.yaml: document 1, line 1: PackageVariant fleet/eu: want apiVersion "config.porch.kpt.dev/v1alpha1" and kind "PackageVariant", got "config.porch.kpt.dev/v1alpha9"`},
		"aliases":        {"a bomb of aliases", file("x.yaml", bomb()), "ROOT/fleet/x.yaml: document 1, line 1: holds 4000000 values once aliases are followed, more than the 2000000 allowed"},
		"deep":           {"nested too deep", file("x.yaml", "a: "+strings.Repeat("[", 5000)+strings.Repeat("]", 5000)), "ROOT/fleet/x.yaml: document 1"},
		"same key":       {"a key given twice", file("x.yaml", "a: 1\na: 2\n"), "ROOT/fleet/x.yaml: document 1, line 2"},
		"binary":         {"no text at all", file("x.yaml", "\xff\xfe\x00"), "ROOT/fleet/x.yaml: line 1"},
		"link out":       {"a link out of the folder", link("/etc/hostname", "x.yaml"), "ROOT/fleet/x.yaml: a symbolic link out of the folder; name what it leads to by itself"},
		"dangling":       {"a link to nothing", link("none.yaml", "x.yaml"), "ROOT/fleet/x.yaml: a symbolic link that leads nowhere"},
		"pipe": {"a file that would never end", func(f *fleet) {
			if err := syscall.Mkfifo(f.path("fleet/x.yaml"), 0o644); err != nil {
				f.Fatal(err)
			}
		}, "ROOT/fleet/x.yaml: not a regular file"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFleet(t)
			tc.arrange(f)
			_, err := local.Read([]string{f.path("fleet")}, strings.NewReader(""))
			if err == nil {
				t.Fatalf("%s: want an error", tc.reason)
			}
			if got := strings.ReplaceAll(err.Error(), f.root, "ROOT"); !strings.HasPrefix(got, tc.want) || strings.Contains(got, "\n") {
				t.Errorf("%s (-want +got):\n-%s\n+%s", tc.reason, tc.want, got)
			}
		})
	}
}

func bomb() string {
	var b strings.Builder
	b.WriteString("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n")
	for i := 1; i < 12; i++ {
		b.WriteString("a" + strconv.Itoa(i) + ": &a" + strconv.Itoa(i) + " [" + strings.TrimSuffix(strings.Repeat("*a"+strconv.Itoa(i-1)+", ", 10), ", ") + "]\n")
	}
	return b.String()
}

func link(target, name string) func(*fleet) {
	return func(f *fleet) {
		if err := os.Symlink(target, f.path("fleet/"+name)); err != nil {
			f.Fatal(err)
		}
	}
}
