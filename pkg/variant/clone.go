package variant

import (
	"strings"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/merge"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/upstream"
)

// CloneInput is the name of a clone and where it comes from.
type CloneInput struct {
	// Name is the downstream package, which becomes the name in the Kptfile and in the package context.
	Name string
	// Upstream is where the upstream tree was read: clone URL, directory, short ref, commit.
	Upstream kptfilev1.GitLock
	// Labels and Annotations go to the Kptfile's metadata, where Git keeps those of a revision.
	Labels, Annotations map[string]string
	// Deployment says that the clone is meant for a cluster: it gets a package context.
	Deployment bool
	// UpdateStrategy is how the clone will be upgraded; "" leaves it out.
	UpdateStrategy kptfilev1.UpdateStrategyType
	// PackagePath is the context's package-path, "" when it is not known.
	PackagePath string
}

// Clone makes a downstream package of an upstream one: name, upstream and lock in the Kptfile,
// merge marks on the resources and, for a deployment, the package context. An upstream without a
// Kptfile is an error.
func Clone(from pkgtree.Tree, in CloneInput) (pkgtree.Tree, error) {
	tree, err := setOrigin(from, in.Upstream, in.UpdateStrategy)
	if err == nil {
		tree, err = EditKptfile(tree, func(f *kptfile.File) { f.SetName(in.Name) })
	}
	if err != nil {
		return tree, err
	}
	if tree, err = SetMetadata(tree, in.Labels, in.Annotations); err != nil {
		return tree, err
	}
	tree = merge.AddMarks(tree)
	if in.Deployment {
		return upstream.AddContext(tree, in.Name, in.PackagePath)
	}
	return tree, nil
}

// SetUpstream writes to the root Kptfile of a package from where it is upgraded. Its name and updateStrategy stay.
func SetUpstream(tree pkgtree.Tree, from kptfilev1.GitLock) (pkgtree.Tree, error) {
	strategy, err := UpdateStrategy(tree)
	if err != nil {
		return tree, err
	}
	return setOrigin(tree, from, strategy)
}

// UpdateStrategy is how a package wants to be upgraded; "" if its root Kptfile does not say so.
func UpdateStrategy(tree pkgtree.Tree) (kptfilev1.UpdateStrategyType, error) {
	f, err := RootKptfile(tree)
	if err != nil || f.Spec.Upstream == nil {
		return "", err
	}
	return f.Spec.Upstream.UpdateStrategy, nil
}

func setOrigin(tree pkgtree.Tree, from kptfilev1.GitLock, strategy kptfilev1.UpdateStrategyType) (pkgtree.Tree, error) {
	lock := normalLock(from)
	return EditKptfile(tree, func(f *kptfile.File) {
		f.SetUpstream(kptfilev1.Upstream{
			Type:           kptfilev1.GitOrigin,
			Git:            &kptfilev1.Git{Repo: lock.Repo, Directory: lock.Directory, Ref: lock.Ref},
			UpdateStrategy: strategy,
		})
		f.SetUpstreamLock(kptfilev1.Locator{Type: kptfilev1.GitOrigin, Git: &lock})
	})
}

// SetMetadata puts labels and annotations into the metadata of the root Kptfile; what is there
// and not named stays.
func SetMetadata(tree pkgtree.Tree, labels, annotations map[string]string) (pkgtree.Tree, error) {
	return EditKptfile(tree, func(f *kptfile.File) {
		f.MergeLabels(labels)
		f.MergeAnnotations(annotations)
	})
}

// inRegistry reports whether a lock names an artifact of an OCI registry. Its ref is a tag then, and its commit a digest.
func inRegistry(l kptfilev1.GitLock) bool { return strings.HasPrefix(l.Repo, "oci://") }

// normalLock is l as it is written and compared: ".git" after the URL of a Git repository, no slash before or after
// the directory.
func normalLock(l kptfilev1.GitLock) kptfilev1.GitLock {
	if repo := strings.TrimSuffix(l.Repo, "/"); repo != "" && !strings.HasSuffix(repo, ".git") && !inRegistry(l) {
		l.Repo = repo + ".git"
	} else {
		l.Repo = repo
	}
	l.Directory = strings.Trim(l.Directory, "/")
	return l
}
