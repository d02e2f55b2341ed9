package publishedresource

import (
	"fmt"
	"maps"
	"slices"

	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"
)

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
	if len(contexts) == 0 {
		contexts = slices.Collect(maps.Keys(config.Contexts))
	}
	contexts = slices.Clone(contexts)
	slices.Sort(contexts)
	var out []Workspace
	for _, name := range slices.Compact(contexts) {
		one, err := workspace(config, name)
		if err != nil {
			return nil, fmt.Errorf("the kubeconfig of the source, %s: context %q: %w", file, name, err)
		}
		out = append(out, one)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("the kubeconfig of the source, %s, has no contexts", file)
	}
	return out, nil
}

func workspace(config *api.Config, name string) (Workspace, error) {
	if config.Contexts[name] == nil {
		return Workspace{}, fmt.Errorf("there is none; want one of %q", slices.Sorted(maps.Keys(config.Contexts)))
	}
	cfg, err := clientcmd.NewNonInteractiveClientConfig(*config, name, &clientcmd.ConfigOverrides{}, nil).ClientConfig()
	return Workspace{Name: name, Config: cfg}, err
}
