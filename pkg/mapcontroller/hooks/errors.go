package hooks

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"

	"github.com/waybill-dev/waybill/pkg/safetext"
)

// maxMessage limits an error, in bytes.
const maxMessage = 300

func singleLine(err error) string { return safetext.SingleLine(err.Error(), maxMessage) }

// statusText is the message for a status that is not a success. It repeats nothing else of the answer: the server knows
// secrets.
func statusText(status int) string {
	text := strings.TrimSpace(fmt.Sprintf("status %d %s", status, http.StatusText(status)))
	if status/100 == 3 && status != http.StatusNotModified {
		text += ": a redirect to another host, or to another method, is not followed"
	}
	return text
}

// reason is the message for a request without an answer. It quotes neither the server nor the address.
func (w *webhook) reason(err error) string {
	for _, known := range []error{errLong, errNoURL, errProxy} {
		if errors.Is(err, known) {
			return known.Error()
		}
	}
	var untrusted *tls.CertificateVerificationError
	var unknown *net.DNSError
	var network *net.OpError
	switch {
	case errors.Is(err, errLate):
		return fmt.Sprintf("it did not send a complete answer within %s", w.timeout)
	case errors.As(err, &untrusted):
		return "its certificate is not trusted: " + singleLine(untrusted.Err)
	case errors.As(err, &unknown):
		return singleLine(unknown)
	case errors.As(err, &network):
		return singleLine(network)
	case errors.Is(err, http.ErrSchemeMismatch):
		return "it does not speak TLS"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "the connection ended before the answer did"
	}
	return "it, or a proxy on the way, did not answer in HTTP"
}
