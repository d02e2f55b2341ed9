package publishedresource

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"strings"

	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// Workspace is a cluster of the source, where consumers are.
type Workspace struct {
	// Name is a DNS label. It must not change, because it identifies copies.
	Name string
	// Config connects to it.
	Config *rest.Config
}

// path is the path of a workspace of kcp, from its address: ".../clusters/root:org:team".
func (w Workspace) path() string {
	_, name, found := strings.Cut(w.Config.Host, "/clusters/")
	if name, _, _ = strings.Cut(name, "/"); found && strings.Contains(name, ":") {
		return name
	}
	return ""
}

func checkWorkspaces(all []Workspace) error {
	if len(all) == 0 {
		return errors.New("want at least one workspace")
	}
	seen := sets.Set[string]{}
	for _, w := range all {
		switch faults := validation.IsDNS1123Label(w.Name); {
		case len(faults) > 0:
			return fmt.Errorf("workspace %q: namespaces and labels contain its name, so it must be a DNS label; rename it: %s", w.Name, faults[0])
		case seen.Has(w.Name):
			return fmt.Errorf("workspace %q is named twice", w.Name)
		case w.Config == nil:
			return fmt.Errorf("workspace %q: it has no client configuration", w.Name)
		}
		seen.Insert(w.Name)
	}
	return nil
}

// Workspaces are the contexts of a kubeconfig, all or those named, by name. An error says which is at fault and
// holds no credentials.
func Workspaces(file string, contexts []string) ([]Workspace, error) {
	config, err := clientcmd.LoadFromFile(file)
	if err != nil {
		return nil, fmt.Errorf("read the kubeconfig of the source: %w", err)
	}
	if err := clientcmd.ResolveLocalPaths(config); err != nil {
		return nil, fmt.Errorf("read the kubeconfig of the source, %s: %w", file, err)
	}
	all := sets.KeySet(config.Contexts)
	names := sets.New(contexts...)
	if len(names) == 0 {
		names = all
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("the kubeconfig of the source, %s, has no contexts", file)
	}
	var out []Workspace
	for _, name := range sets.List(names) {
		cfg, err := clientcmd.NewNonInteractiveClientConfig(*config, name, &clientcmd.ConfigOverrides{}, nil).ClientConfig()
		if !all.Has(name) {
			err = fmt.Errorf("there is none; want one of %q", sets.List(all))
		}
		if err != nil {
			return nil, fmt.Errorf("the kubeconfig of the source, %s: context %q: %w", file, name, err)
		}
		out = append(out, Workspace{Name: name, Config: cfg})
	}
	return out, nil
}

// Kubeconfig is a file whose contexts are workspaces: all, or those named. It is for one goroutine at a time.
type Kubeconfig struct {
	File     string
	Contexts []string
	last     [sha256.Size]byte // of the text that was read last
}

// Changed is Workspaces if this is the first call, or the file has changed since the last one; otherwise nil. After an error
// the file counts as changed.
func (k *Kubeconfig) Changed() ([]Workspace, error) {
	text, err := os.ReadFile(k.File)
	if err != nil {
		return nil, fmt.Errorf("read the kubeconfig of the source: %w", err)
	}
	sum := sha256.Sum256(text)
	if sum == k.last {
		return nil, nil
	}
	all, err := Workspaces(k.File, k.Contexts)
	if err == nil {
		k.last = sum
	}
	return all, err
}
