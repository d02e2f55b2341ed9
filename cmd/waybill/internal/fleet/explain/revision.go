package explain

import (
	"runtime/debug"

	waybillapi "github.com/waybill-dev/waybill/pkg/api/waybill"
)

// builtFrom is the commit that this program was built from, with .dirty where that is not all of it; "" when it does not
// know.
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

// revise adds the commit to the versions of functions that are linked in, which have no digest.
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
