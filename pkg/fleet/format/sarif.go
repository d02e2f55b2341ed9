package format

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/url"
	"strings"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/fleet/risk"
)

// mostResults is how many results code scanning accepts of one run.
const mostResults = 5000

// ordinary is the rule of changes without another rule.
const ordinary = "ordinary-change"

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool struct {
		Driver struct {
			Name  string      `json:"name"`
			Rules []sarifRule `json:"rules"`
		} `json:"driver"`
	} `json:"tool"`
	ColumnKind string        `json:"columnKind"`
	Results    []sarifResult `json:"results"`
}

type sarifRule struct {
	ID               string       `json:"id"`
	ShortDescription sarifText    `json:"shortDescription"`
	Default          sarifDefault `json:"defaultConfiguration"`
}

type sarifDefault struct {
	Level string `json:"level"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifResult struct {
	RuleID       string            `json:"ruleId"`
	RuleIndex    int               `json:"ruleIndex"`
	Level        string            `json:"level"`
	Message      sarifText         `json:"message"`
	Locations    []sarifLocation   `json:"locations"`
	Fingerprints map[string]string `json:"partialFingerprints"`
}

type sarifLocation struct {
	Physical struct {
		Artifact struct {
			URI string `json:"uri"`
		} `json:"artifactLocation"`
		Region struct {
			StartLine int `json:"startLine"`
		} `json:"region"`
	} `json:"physicalLocation"`
}

// SARIF writes p for code scanning: a result for each group and rule that applies to it, at the file that defines the
// object, or else at a file that delivers it.
func SARIF(out io.Writer, p *waybill.FleetPreview) error {
	run := sarifRun{ColumnKind: "unicodeCodePoints", Results: []sarifResult{}}
	run.Tool.Driver.Name = "waybill fleet preview"
	index := map[string]int{}
	for _, r := range risk.Rules {
		index[r.Name] = len(run.Tool.Driver.Rules)
		level := sarifDefault{severity(string(r.Level), "note")}
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{r.Name, sarifText{r.Says}, level})
	}
	index[ordinary] = len(run.Tool.Driver.Rules)
	run.Tool.Driver.Rules = append(run.Tool.Driver.Rules,
		sarifRule{ordinary, sarifText{"Something changes on clusters, and no rule says that it is risky."}, sarifDefault{"note"}})
	for i := range p.Groups {
		g := &p.Groups[i]
		rules := g.Risks
		if len(rules) == 0 {
			rules = []string{ordinary}
		}
		for _, name := range rules {
			if len(run.Results) < mostResults {
				level := run.Tool.Driver.Rules[index[name]].Default.Level
				run.Results = append(run.Results, resultOf(g, name, index[name], level))
			}
		}
	}
	enc := json.NewEncoder(out)
	enc.SetIndent("", "  ")
	return enc.Encode(sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}})
}

func severity(level, low string) string {
	switch level {
	case "high":
		return "error"
	case "medium":
		return "warning"
	}
	return low
}

func resultOf(g *waybill.PreviewGroup, rule string, index int, level string) sarifResult {
	file, line := place(g)
	var at sarifLocation
	at.Physical.Artifact.URI = uri(file)
	at.Physical.Region.StartLine = max(1, line)
	o := g.Object
	sum := sha256.Sum256([]byte(strings.Join([]string{rule, g.Change, g.With, o.Group, o.Kind, o.Namespace, o.Name}, "\x00")))
	return sarifResult{
		RuleID: rule, RuleIndex: index, Level: level, Message: sarifText{sentence(g)}, Locations: []sarifLocation{at},
		Fingerprints: map[string]string{"waybillChange/v1": hex.EncodeToString(sum[:])},
	}
}

func uri(file string) string {
	parts := strings.Split(file, "/")
	for i, shapeRisks := range parts {
		parts[i] = url.PathEscape(shapeRisks)
	}
	if strings.Contains(parts[0], ":") { // else it would look like a scheme
		parts[0] = "./" + parts[0]
	}
	return strings.Join(parts, "/")
}
