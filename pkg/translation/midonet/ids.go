package midonet

import (
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"net"

	"github.com/google/uuid"
)

// id is a UUID.
type id uuid.UUID

// String is the id in lower-case hex digits with hyphens.
func (i id) String() string { return uuid.UUID(i).String() }

const (
	idSize    = len("00000000-0000-0000-0000-000000000000")
	urnPrefix = "urn:uuid:"
)

// parseID parses an id as String writes it, in lower or upper case, or as a URN (RFC 4122), which begins with urnPrefix.
func parseID(s string) (out id, ok bool) {
	if len(s) != idSize && len(s) != len(urnPrefix)+idSize { // uuid.Parse accepts other forms, too
		return id{}, false
	}
	u, err := uuid.Parse(s)
	return id(u), err == nil
}

// sub is the UUID of version 5 (RFC 4122) of a text in the name space i.
func (i id) sub(text string) id {
	buf := make([]byte, 0, 256) // on the stack
	sum := sha1.Sum(append(append(buf, i[:]...), text...))
	out := id(sum[:16])
	out[6] = out[6]&0x0f | 0x50
	out[8] = out[8]&0x3f | 0x80
	return out
}

// rootSpace is the name space of the tenants' name spaces.
var rootSpace, _ = parseID("3978567e-91c4-465c-a0d1-67575f6b4c7f")

// What an id is for. These are not the kinds of keys.
const (
	idOfGlobal      = "midonet-global"
	idOfNode        = "Node"
	idOfNodeAddress = "Node Address"
	idOfPod         = "Pod"
	idOfServicePort = "ServicePort"
	idOfServiceRule = "ServicePortSub"
	idOfEndpoint    = "Endpoint"
)

// ids computes the ids of one tenant in one version.
type ids struct {
	version string
	tenant  id

	// The ids of what exists once.
	main, services, router, zone id
}

func newIDs(tenant, version string) ids {
	out := ids{version: version}
	out.tenant = rootSpace.sub(version + "/" + tenant)
	out.main = out.forKey(idOfGlobal, "chain")
	out.services = out.main.sub("Services Chain")
	out.router = out.main.sub("Cluster Router")
	out.zone = out.main.sub("Default Tunnel Zone")
	return out
}

// forKey is the id of a kind and a key, as Key.String writes it.
func (s *ids) forKey(kind, key string) id {
	return s.tenant.sub(s.version + "/" + kind + "/" + key)
}

// macOf is the MAC address of the router's port to a node. There are 2^24 different ones.
func macOf(key string) net.HardwareAddr {
	sum := sha256.Sum256([]byte(key))
	return net.HardwareAddr{0xac, 0xca, 0xba, sum[0], sum[1], sum[2]}
}

// nodeInterface is the name of a node's interface to the backend.
const nodeInterface = "midokube-mido"

// podInterface is the name of a pod's interface on its node, which must be short.
func podInterface(key string) string {
	sum := sha1.Sum([]byte(key))
	return "mido" + hex.EncodeToString(sum[:])[:11]
}
