package local_test

import (
	"os"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// badWorlds are what can be wrong with a variant, a repository or a package.
var badWorlds = map[string]struct {
	reason  string
	arrange func(f *fleet)
	want    string // ROOT is where the fleet is
}{
	"no such package": {
		reason:  "the upstream package does not exist",
		arrange: editing("eu.yaml", "package: shop", "package: shoe"),
		want:    "eu failed: could not find upstream package revision 'shoe/v1' in repo 'blueprints'",
	},
	"no such revision": {
		reason:  "nor does the revision",
		arrange: editing("eu.yaml", "revision: 1", "revision: 7"),
		want:    "eu failed: could not find upstream package revision 'shop/v7' in repo 'blueprints'",
	},
	"no such workspace": {
		reason:  "nor the workspace",
		arrange: editing("eu.yaml", "revision: 1", "workspaceName: next"),
		want:    "eu failed: could not find upstream package revision 'shop/next' in repo 'blueprints'",
	},
	"no revision": {
		reason:  "no revision is named",
		arrange: editing("eu.yaml", "    revision: 1\n", ""),
		want:    `eu failed: spec.upstream must give workspaceName or revision: the placeholder revision of package "shop" in repo "blueprints" cannot be cloned`,
	},
	"no such Repository": {
		reason:  "the Repository object is not there",
		arrange: editing("eu.yaml", "repo: blueprints", "repo: blueprint"),
		want:    `eu failed: upstream: there is no Repository "blueprint" in namespace "fleet"`,
	},
	"Repository of another namespace": {
		reason:  "a variant uses the repositories of its namespace",
		arrange: editing("eu.yaml", "namespace: fleet", "namespace: other"),
		want:    `eu failed: upstream: there is no Repository "blueprints" in namespace "other"`,
	},
	"spec": {
		reason:  "every fault of the spec at once",
		arrange: editing("eu.yaml", "    repo: blueprints\n    package: shop\n", "", "      region: eu\n  pipeline", "      name: x\n  pipeline", "name: lyon", "name: ''"),
		want: `eu failed: missing required field spec.upstream.repo; missing required field spec.upstream.package; ` +
			`spec.packageContext.data: Invalid value: {"name":"x"}: must not contain the key "name"; spec.injectors[0].name must not be empty`,
	},
	"no such repository": {
		reason:  "nothing is there",
		arrange: editing("repositories.yaml", "../blueprints.git", "../none.git"),
		want:    `eu failed: upstream: repository fleet/blueprints: repository "ROOT/none.git" does not exist, or may not be seen`,
	},
	"no repository": {
		reason:  "a folder that is no repository",
		arrange: editing("repositories.yaml", "../blueprints.git", "."),
		want:    `eu failed: upstream: repository fleet/blueprints: repository "ROOT/fleet" does not exist, or may not be seen`,
	},
	"no such downstream": {
		reason:  "the downstream is named as such",
		arrange: editing("repositories.yaml", "../deployments.git", "file:///nowhere/at/all.git"),
		want:    `eu failed: downstream: repository fleet/deployments: repository "/nowhere/at/all.git" does not exist, or may not be seen`,
	},
	"no server": {
		reason:  "no server answers",
		arrange: editing("repositories.yaml", "../deployments.git", "http://127.0.0.1:1/deployments.git"),
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
		want: `eu failed: create draft: repository "URL": access denied with these credentials`,
	},
	"svn": {
		reason:  "a form of address that is not spoken",
		arrange: editing("repositories.yaml", "../deployments.git", "svn://example.com/fleet/deployments"),
		want:    `eu failed: downstream: repository fleet/deployments: repository "svn://example.com/fleet/deployments": scheme "svn" is not supported: want a path, file, http, https or ssh; or git, to read`,
	},
	"oci": {
		reason:  "an address in a registry names no single package",
		arrange: editing("repositories.yaml", "type: git\n  deployment: true\n  git:\n    repo: ../deployments.git", "type: oci\n  oci:\n    registry: example.com/fleet:v1"),
		want:    `eu failed: downstream: repository fleet/deployments: spec.oci.registry "example.com/fleet:v1": want HOST or HOST/PATH, without a tag or digest`,
	},
	"no type": {
		reason:  "a Repository that is wrong",
		arrange: editing("repositories.yaml", "  type: git\n  deployment: true\n", ""),
		want:    `eu failed: downstream: repository fleet/deployments: missing required field spec.type`,
	},
	"no such Secret": {
		reason: "credentials that are not given, in the files or to Git",
		arrange: func(f *fleet) {
			for _, env := range []string{"GIT_CONFIG_GLOBAL", "NETRC"} {
				f.Setenv(env, f.path("none"))
			}
			f.Setenv("GIT_CONFIG_NOSYSTEM", "1")
			url := f.serve(nil, gittest.BasicAuth("ada", token))
			f.edit("repositories.yaml", "repo: ../deployments.git", "repo: "+url+"\n    secretRef:\n      name: token")
		},
		want: `eu failed: downstream: repository fleet/deployments: repository "URL": authentication failed: no credential helper is configured for git, ` +
			`and .netrc has none for it; store them with a credential helper of git (git config credential.helper, git credential approve), ` +
			`or put USER:PASSWORD@, or a token in the place of the password, before the host in the URL; ` +
			`or add the Secret "token" of namespace "fleet", which spec.git.secretRef names, to the files`,
	},
	"unknown Kptfile field": {
		reason:  "a Kptfile is read strictly",
		arrange: releasing("Kptfile", "pipeline:", "pipelines:"),
		want:    `eu failed: upstream blueprints.shop.v2: Kptfile: unknown field pipelines (line 7)`,
	},
	"no KRM": {
		reason:  "a file that is no resource is named",
		arrange: releasing("app.yaml", "kind: ConfigMap\n", ""),
		want:    `eu failed: render package "eu/shop": function "example.com/note:v1" (step 1): input resource list must contain only KRM resources: app.yaml: resource must have ` + "`kind`",
	},
	"broken YAML": {
		reason:  "file and line",
		arrange: releasing("app.yaml", `"hello"`, `"hello`),
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
		arrange: editing("eu.yaml", "example.com/note:v1", "example.com/refuse:v1"),
		want:    `eu failed: render package "eu/shop": function "example.com/refuse:v1" (step 1): ConfigMap app (app.yaml) app is not to my taste`,
	},
	"unknown function": {
		reason:  "an image that cannot be run",
		arrange: editing("eu.yaml", "example.com/note:v1", "example.com/other:v1"),
		want:    `eu failed: render package "eu/shop": function "example.com/other:v1" (step 1): image "example.com/other:v1" is not known here`,
	},
	"no package context": {
		reason:  "a context for a package that has none",
		arrange: editing("repositories.yaml", "  deployment: true\n", ""),
		want:    `eu failed: "package-context.yaml" not found in PackageRevisionResources 'fleet/deployments.eu.shop'`,
	},
	"injection point": {
		reason:  "an injection point that is wrong",
		arrange: releasing("site.yaml", "config-injection: required", "config-injection: please"),
		want:    `eu failed: errors in injection points: site.yaml: Site/site has invalid "kpt.dev/config-injection" annotation value of "please"`,
	},
}

// editing edits a file of objects.
func editing(file string, oldnew ...string) func(*fleet) {
	return func(f *fleet) { f.edit(file, oldnew...) }
}

// releasing moves the variant to a release in which a file of the blueprint is edited.
func releasing(file string, oldnew ...string) func(*fleet) {
	return func(f *fleet) { f.moveTo(2, map[string]*string{"shop/" + file: f.upstream("shop/"+file, oldnew...)}) }
}
