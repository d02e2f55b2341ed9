package html

import (
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"strings"
	"sync"

	"github.com/waybill-dev/waybill/pkg/fleet/format"
	"github.com/waybill-dev/waybill/pkg/fleet/index"
	"github.com/waybill-dev/waybill/pkg/safetext"
	"github.com/waybill-dev/waybill/pkg/selection"
)

//go:embed assets
var assets embed.FS

// scripts are the parts of the one script, in order.
var scripts = []string{"data.js", "names.js", "search.js", "grid.js", "panel.js", "views.js", "main.js"}

// MostText is the default limit of the bytes of YAML in a page.
const MostText = 24 << 20

// Options of Write.
type Options struct {
	// Name is the title of the page; Side is where it was read from.
	Name, Side string
	// Refused are the reasons why the change exceeds a bound, if it does.
	Refused []string
	// Bounded says that there is a bound.
	Bounded bool
	// MostText bounds the bytes of YAML; 0 for the constant. The commonest texts come first; the page says that the rest is
	// left out.
	MostText int
}

// view is the input of the template.
type view struct {
	Name, Headline string
	Verdict        *verdict // nil without a comparison
	Policy         template.HTMLAttr
	Style          template.CSS
	Script, Data   template.JS
	// Changes are the tables above the matrix, and Tables those below.
	Changes, Tables []table
}

var pageTemplate = sync.OnceValue(func() *template.Template { return template.Must(template.ParseFS(assets, "assets/page.html")) })

// Write writes the page. The same Index and options give the same bytes.
func Write(out io.Writer, a *index.Index, o Options) error {
	o.MostText = cmp.Or(o.MostText, MostText)
	encoded := encode(a, o.MostText)
	data, err := json.Marshal(encoded) // it writes <, > and & as escapes: nothing in it ends the element
	if err != nil {
		return err
	}
	style, script := asset("page.css"), wholeScript()
	return pageTemplate().Execute(out, view{
		Name: safetext.Visible(o.Name), Headline: headline(a, o.Side), Verdict: verdictOf(a, &o), Changes: changeTables(a, encoded.Changes),
		Tables: []table{policyTable(a).bound(mostPolicies, "policies"), clusterTable(a).bound(mostClusters, "clusters")},
		Policy: template.HTMLAttr(`content="` + contentPolicy(style, script) + `"`), // #nosec G203 -- hashes of what is ours
		Style:  template.CSS(style), Script: template.JS(script),                    // #nosec G203 -- our own
		Data: template.JS(data), // #nosec G203 -- JSON, see above
	})
}

func asset(name string) string {
	text, err := assets.ReadFile("assets/" + name)
	if err != nil {
		panic(err) // it is in the binary
	}
	return string(text)
}

// wholeScript puts the parts into one scope, without comments and indentation, which are a sixth of it. No text in the parts
// has more than one line.
func wholeScript() string {
	var b strings.Builder
	b.WriteString("'use strict';\n(() => {\n")
	for _, name := range scripts {
		for line := range strings.Lines(asset(name)) {
			if line = strings.TrimLeft(line, " \n"); !strings.HasPrefix(line, "//") {
				b.WriteString(line)
			}
		}
	}
	b.WriteString("})();\n")
	return b.String()
}

// contentPolicy allows this style and this script only: no request, no other script, no markup made from text.
func contentPolicy(style, script string) string {
	return fmt.Sprintf("default-src 'none'; style-src '%s'; script-src '%s'; base-uri 'none'; form-action 'none'; "+
		"require-trusted-types-for 'script'; trusted-types 'none'",
		digest(style), digest(script))
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// headline is one sentence: what the fleet receives or, of a comparison, what changes.
func headline(a *index.Index, side string) string {
	if a.Preview != nil {
		return safetext.Visible(fmt.Sprintf("From %s to %s: %s", a.Preview.Before.Name, a.Preview.After.Name, format.Headline(a.Preview)))
	}
	clusters, objects := 0, 0
	for i := range a.Clusters {
		n := total(a, &a.Clusters[i])
		objects += n
		if n > 0 {
			clusters++
		}
	}
	policies := len(a.Policies)
	if policies > 0 && a.Policies[0] == "" { // stands for no policy
		policies--
	}
	return safetext.Visible(fmt.Sprintf("%s: %d of %s receive %s, by %s.", side, clusters, selection.Count(len(a.Clusters), "cluster"),
		selection.Count(objects, "object"), selection.Count(policies, "policy")))
}

func total(a *index.Index, c *index.Cluster) (n int) {
	for i := range c.Loads {
		n += a.Count(&c.Loads[i])
	}
	return n
}
