package comments

import "sigs.k8s.io/kustomize/kyaml/yaml"

// DropRepeatedTrailing removes comments from the end of doc that it has more often than old: a function
// that printed the object moved them below its innermost last field, and they were put back in their old
// places, further out.
func DropRepeatedTrailing(doc, old *yaml.Node) {
	had := map[string]int{}
	for _, comment := range Trailing(old) {
		had[*comment]++
	}
	for _, comment := range Trailing(doc) { // the outermost first
		if n, known := had[*comment]; known && n == 0 {
			*comment = ""
		} else if known {
			had[*comment]--
		}
	}
}

// Trailing are the comments below the end of a document, the outermost first: of the document, of its last field, of
// the last field of that, and so on.
func Trailing(doc *yaml.Node) (all []*string) {
	all = append(all, &doc.FootComment)
	for n := doc.Content[0]; len(n.Content) > 0; n = n.Content[len(n.Content)-1] {
		if n.Kind == yaml.MappingNode {
			all = append(all, &n.Content[len(n.Content)-2].FootComment)
		}
		all = append(all, &n.Content[len(n.Content)-1].FootComment)
	}
	return all
}
