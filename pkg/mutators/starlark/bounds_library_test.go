package starlark

import (
	"testing"

	"github.com/waybill-dev/waybill/pkg/testenv"
)

// TestLibraryBounds goes through what the libraries read and make.
func TestLibraryBounds(t *testing.T) {
	testenv.Long(t, "inputs at the bounds")
	const load = "load(\"encoding/json.star\", \"json\")\nload(\"encoding/yaml.star\", \"yaml\")\nload(\"re.star\", \"re\")\n" +
		"load(\"encoding/base64.star\", \"base64\")\nload(\"hash.star\", \"hash\")\nload(\"math.star\", \"math\")\nload(\"krmfn.star\", \"krmfn\")\n"
	const text, list = load + "x = \"a\" * 1000000\nl = []\n", load + "x = list(range(100000))\nl = []\n"
	const again = "while True:\n  "
	checkBounds(t, map[string]bound{
		"json of a list":    {"a list as text", list + again + "l.append(json.encode(x))", tooMuchWork},
		"json of itself":    {"one that holds itself many times", load + "x = []\nfor i in range(40):\n  x = [x, x]\njson.encode(x)", tooMuchWork},
		"json read":         {"a list from text", load + "x = \"[\" + \"[],\" * 100000 + \"0]\"\nl = []\n" + again + "l.append(json.decode(x))", tooMuchWork},
		"json deep":         {"one that is nested deeply", load + "json.decode(\"[\" * 400000)", tooMuchWork},
		"json keys":         {"maps", load + "x = \"[\" + \"{},\" * 100000 + \"0]\"\nl = []\n" + again + "l.append(json.decode(x))", tooMuchWork},
		"json indented":     {"wide lines", load + "x = \"[\" * 100 + \"0,\" * 100000 + \"0\" + \"]\" * 100\njson.indent(x, indent=\" \" * 100)", tooMuchWork},
		"yaml read":         {"a list from YAML", load + "x = \"- a\\n\" * 100000\nl = []\n" + again + "l.append(yaml.loads(x))", tooMuchWork},
		"yaml of a list":    {"a list as YAML", list + again + "l.append(yaml.dumps(x))", tooMuchWork},
		"base64":            {"encoded", text + again + "l.append(base64.encode(x))", tooMuchWork},
		"base64 decoded":    {"decoded", text + again + "l.append(base64.decode(x))", tooMuchWork},
		"hash":              {"hashed", text + again + "l.append(hash.sha256(x))", tooMuchWork},
		"rounded":           {"a large number", load + "x = 10\nfor i in range(14):\n  x *= x\n" + again + "y = math.ceil(x)", tooMuchWork},
		"search":            {"a pattern that looks at all of a text", text + again + "l.append(re.search(\"(a?){50}b\", x))", tooMuchWork},
		"search of all":     {"many times", load + "x = \"a\" * 100000\nre.findall(\"a*b|a\", x)", tooMuchWork},
		"patterns":          {"patterns that stand for many steps", load + again + "re.search(\"((((a{10}){10}){10}))\", \"\")", tooMuchWork},
		"split":             {"parts", load + "x = \"a\" * 100000\nre.split(\"\", x)", tooMuchWork},
		"replaced":          {"a match that becomes much", load + "x = \"a\" * 4000\nre.sub(\"a*\", \"$0\" * 20000, x)", tooMuchWork},
		"groups":            {"a match of many groups", load + "x = \"a\" * 3000\nre.match(\"()\" * 450, x)", tooMuchWork},
		"matched":           {"an object that is compared", load + "x = \"a\" * 1000000\n" + again + "krmfn.match_name({}, x)", tooMuchWork},
		"definitions":       {"a definition that is copied", "x = ctx.open_api[\"definitions\"][\"io.k8s.api.core.v1.PodSpec\"]\nl = []\n" + again + "l.append(str(x))", tooMuchWork},
		"json keys collide": {"keys with the same hash", load + "x = {str(i): i for i in range(2000)}\njson.decode(json.encode(x))", ""},
	})
}
