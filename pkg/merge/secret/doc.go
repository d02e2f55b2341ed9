// Package secret says what in an object is not to be shown. Everything that shows values, of whatever room, asks here.
//
// Shape: questions about nodes and names, answered by yes or no. What a Secret holds is hidden, and so is what its
// annotations say but for some that are known to be harmless: tools keep copies of whole objects there. In any object,
// annotations are hidden that are known to hold such a copy, or that hold the text of a Secret.
// Cost: that of looking; May finds out quickly that there is nothing to hide.
// Errors: none.
// Source: Kubernetes documentation, "Secrets"; of annotations, the documentation of the tools whose they are.
package secret
