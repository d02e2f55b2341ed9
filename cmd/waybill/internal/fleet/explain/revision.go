package explain

import (
	"runtime/debug"

	waybillapi "github.com/waybill-dev/waybill/pkg/api/waybill"
)

// builtFrom returns the commit that this program was built from, with .dirty if the work tree had changes; "" if it is
// unknown.
func builtFrom() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	revision := settings["vcs.revision"]
	if revision != "" && settings["vcs.modified"] == "true" {
		revision += ".dirty"
	}
	return revision
}

// revise appends the commit to the versions of linked functions, which have no digest.
func revise(x *waybillapi.FleetExplanation, revision string) {
	if revision == "" {
		return
	}
	for i := range x.Fields {
		for j := range x.Fields[i].Steps {
			if f := x.Fields[i].Steps[j].Function; f != nil && f.Linked != "" {
				f.Linked += "+" + revision
			}
		}
	}
}
