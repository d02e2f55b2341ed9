package image

import (
	"bytes"
	"encoding/pem"
	"fmt"

	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// waybill is the command line of this project with the controllers linked in: the program waybill-controller, which the image has under
// this name.
var waybill = Function{
	Name: "waybill", Package: "./cmd/waybill/waybill-controller", Controller: true,
	Description:   "Drafts in Git what a fleet of Kubernetes clusters receives.",
	Documentation: Source + "/blob/main/docs/controller.md",
}

// controllerFiles are the files of the image of the controller, which connects to servers. The folder for temporary files is
// for engines that mount none.
func (s Spec) controllerFiles(binary []byte) []file {
	user := fmt.Sprintf("%s:x:%d:%d:%s:/nonexistent:/sbin/nologin\n", s.Name, UserID, UserID, s.Name)
	return []file{
		{"etc/", 0o755, nil},
		{"etc/group", 0o444, fmt.Appendf(nil, "%s:x:%d:\n%s", s.Name, UserID, group)},
		{"etc/passwd", 0o444, []byte(user + passwd)},
		{"etc/ssl/", 0o755, nil},
		{"etc/ssl/certs/", 0o755, nil},
		{"etc/ssl/certs/ca-certificates.crt", 0o444, authorities()},
		{"tmp/", 0o1777, nil},
		{"usr/", 0o755, nil},
		{"usr/local/", 0o755, nil},
		{binDir, 0o755, nil},
		{binDir + s.Name, 0o555, binary},
	}
}

// authorities are the certificates that Mozilla's browsers trust, from a module of Go's authors: the same on every machine.
// One that is trusted under conditions is omitted, since a file of certificates cannot state conditions.
func authorities() []byte {
	var out bytes.Buffer
	for root := range bundle.Roots() {
		if root.Constraint == nil {
			out.Write(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate}))
		}
	}
	return out.Bytes()
}
