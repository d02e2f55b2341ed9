package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"

	"github.com/waybill-dev/waybill/pkg/catalog"
)

// controller is the name of the image in lists of images.
const controller = "waybill"

var digestForm = regexp.MustCompile(`^sha256:[0-9a-f]{64}$`)

// readImage finds the image of the controller in a list of images.
func readImage(file string) (types.Image, error) {
	data, err := os.ReadFile(file) // #nosec G304 -- the file that was named
	if err != nil {
		return types.Image{}, fmt.Errorf("%w; make images writes it, or waybill image push -o yaml", err)
	}
	var list struct {
		Kind  string
		Items []struct{ Name, Image, Digest string }
	}
	if err := yaml.Unmarshal(data, &list); err != nil {
		return types.Image{}, err
	}
	if list.Kind != "ImageList" {
		return types.Image{}, fmt.Errorf("kind %q: want ImageList, which waybill image push -o yaml prints", list.Kind)
	}
	var found []types.Image
	for _, item := range list.Items {
		if item.Name != controller {
			continue
		}
		repository, tag, ok := cutTag(item.Image)
		if !ok || !digestForm.MatchString(item.Digest) {
			return types.Image{}, fmt.Errorf("image %q with digest %q: want REPOSITORY:TAG and sha256:HEX", item.Image, item.Digest)
		}
		found = append(found, types.Image{NewName: repository, NewTag: tag, Digest: item.Digest})
	}
	if len(found) != 1 {
		return types.Image{}, fmt.Errorf("%d images are called %q: want one", len(found), controller)
	}
	return found[0], nil
}

// cutTag parts a name from its tag, which stands behind the last slash.
func cutTag(image string) (repository, tag string, ok bool) {
	i := strings.LastIndex(image, ":")
	if i <= strings.LastIndex(image, "/") || i == len(image)-1 {
		return "", "", false
	}
	return image[:i], image[i+1:], true
}

// build builds the kustomization of a folder with that image.
func build(folder string, image types.Image) ([]byte, error) {
	files, err := memory(os.DirFS(folder))
	if err != nil {
		return nil, err
	}
	name, _, _ := cutTag(catalog.Image(controller))
	tag := image.NewTag
	image.Name, image.NewTag = name, ""
	overlay, err := yaml.Marshal(map[string]any{"resources": []string{"../manifests"}, "images": []types.Image{image}})
	if err != nil {
		return nil, err
	}
	if err := files.WriteFile("/overlay/kustomization.yaml", overlay); err != nil {
		return nil, err
	}
	options := krusty.MakeDefaultOptions()
	options.Reorder = krusty.ReorderOptionLegacy // as kubectl does: what others need comes first
	objects, err := krusty.MakeKustomizer(options).Run(files, "/overlay")
	if err != nil {
		return nil, err
	}
	text, err := objects.AsYaml()
	if err != nil {
		return nil, err
	}
	if want := "image: " + image.NewName + "@" + image.Digest + "\n"; bytes.Count(text, []byte(want)) != 1 {
		return nil, errors.New("no container, or more than one, has the image " + name)
	}
	head := fmt.Sprintf("# Waybill %s: the definitions of its kinds, the controller and its rights.\n# kubectl apply -f install.yaml\n", tag)
	return append([]byte(head), text...), nil
}

// memory copies a folder into memory, where the kustomization that uses it can stand beside it.
func memory(folder fs.FS) (filesys.FileSystem, error) {
	files := filesys.MakeFsInMemory()
	err := fs.WalkDir(folder, ".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || path.Ext(file) != ".yaml" {
			return err
		}
		data, err := fs.ReadFile(folder, file)
		if err != nil {
			return err
		}
		return files.WriteFile(path.Join("/manifests", file), data)
	})
	return files, err
}
