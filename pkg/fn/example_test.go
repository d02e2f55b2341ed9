package fn_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

type options struct {
	// Team goes into the annotation example.org/team of every object.
	Team string `json:"team"`
}

var setTeam = &fn.Function{Name: "set-team", Kind: "SetTeam", Run: func(_ context.Context, in *fn.Input) (*fn.Output, error) {
	var o options
	if err := fn.DecodeConfig(in.Config, "SetTeam", &o); err != nil {
		return nil, err
	}
	out := fn.NewOutput(in)
	for i, item := range out.Items {
		if item.Annotation("example.org/team") == o.Team {
			continue
		}
		changed := item.DeepCopy() // what comes in is never changed
		changed.SetAnnotation("example.org/team", o.Team)
		out.Items[i] = changed
		out.Report(sdk.Info, changed, field.NewPath("metadata", "annotations").Key("example.org/team"), "set")
	}
	return out, nil
}}

// A function is a value with a Run. Its program is func main() { fn.Main(setTeam) }; here Serve gives that program its input.
func ExampleFunction_Serve() {
	list := `apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
- apiVersion: v1
  kind: ConfigMap
  metadata:
    name: banner
functionConfig:
  apiVersion: v1
  kind: ConfigMap
  metadata:
    name: config
  data:
    team: shop
`
	code := setTeam.Serve(context.Background(), nil, strings.NewReader(list), os.Stdout, os.Stdout)
	fmt.Println("exit", code)
	// Output:
	// apiVersion: config.kubernetes.io/v1
	// kind: ResourceList
	// items:
	// - apiVersion: v1
	//   kind: ConfigMap
	//   metadata:
	//     name: banner
	//     annotations:
	//       example.org/team: 'shop'
	// functionConfig:
	//   apiVersion: v1
	//   kind: ConfigMap
	//   metadata:
	//     name: config
	//   data:
	//     team: shop
	// results:
	// - message: set
	//   severity: info
	//   resourceRef:
	//     apiVersion: v1
	//     kind: ConfigMap
	//     name: banner
	//   field:
	//     path: metadata.annotations[example.org/team]
	// exit 0
}

// In a program that links a function, Apply runs it without any text in between. What Run could not start with is a result.
func ExampleFunction_Apply() {
	items, err := krm.Read("app.yaml", []byte("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: banner\n"), krm.Limits{})
	if err != nil {
		fmt.Println(err)
		return
	}
	config, err := krm.Read("team.yaml", []byte("apiVersion: v1\nkind: ConfigMap\ndata: {taem: shop}\n"), krm.Limits{})
	if err != nil {
		fmt.Println(err)
		return
	}
	out := setTeam.Apply(context.Background(), &fn.Input{Items: items, Config: config[0]})
	for _, r := range out.Results {
		fmt.Println(fn.FormatResult(r))
	}
	// Output:
	// [error] ConfigMap  data.taem: Forbidden: unknown option; known are team
}
