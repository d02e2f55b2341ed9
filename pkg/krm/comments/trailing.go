package comments

import "sigs.k8s.io/kustomize/kyaml/yaml"

// DropRepeatedTrailing takes comments out of the end of doc that stand there more often than in old: a function
// that printed it anew has left them below the last field of the last field, and they were put back where
// they had been, further out.
func DropRepeatedTrailing(doc, old *yaml.Node) {
	had := map[string]int{}
	for _, foot := range Trailing(old) {
		had[*foot]++
	}
	for _, foot := range Trailing(doc) { // the outermost first
		if n, known := had[*foot]; known && n == 0 {
			*foot = ""
		} else if known {
			had[*foot]--
		}
	}
}

// Trailing are the comments below the end of a document, the outermost first: of the document, of its last field, of
// the last field of that, and so on.
func Trailing(doc *yaml.Node) (feet []*string) {
	feet = append(feet, &doc.FootComment)
	for n := doc.Content[0]; len(n.Content) > 0; n = n.Content[len(n.Content)-1] {
		if n.Kind == yaml.MappingNode {
			feet = append(feet, &n.Content[len(n.Content)-2].FootComment)
		}
		feet = append(feet, &n.Content[len(n.Content)-1].FootComment)
	}
	return feet
}
