package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/types"
)

// objectName reads the value of a flag that names an object in a namespace; "" names none.
func objectName(flag, value string) (types.NamespacedName, error) {
	namespace, name, both := strings.Cut(value, "/")
	if value != "" && (!both || namespace == "" || name == "" || strings.Contains(name, "/")) {
		return types.NamespacedName{}, usage("--%s %q: want NAMESPACE/NAME", flag, value)
	}
	return types.NamespacedName{Namespace: namespace, Name: name}, nil
}

// refuse is an error about the first of the flags that is given; why goes on after its name.
func refuse(cmd *cobra.Command, why string, flags ...string) error {
	i := slices.IndexFunc(flags, cmd.Flags().Changed)
	if i < 0 {
		return nil
	}
	return usage("--%s %s", flags[i], why)
}
