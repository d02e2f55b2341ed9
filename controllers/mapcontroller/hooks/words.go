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

// maxMessage bounds what is told of an error, in bytes.
const maxMessage = 300

// refusal is what a status says that is no success. What else a server says is not repeated: it was told
// secrets.
func refusal(status int) string {
	text := strings.TrimSpace(fmt.Sprintf("status %d %s", status, http.StatusText(status)))
	if status/100 == 3 && status != http.StatusNotModified {
		text += ": a redirect to another host, or to another method, is not followed"
	}
	return text
}

// why is why no answer came, in words that come neither from the server nor from the address.
func (w *webhook) why(err error) string {
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
		return fmt.Sprintf("it gave no whole answer within %s", w.timeout)
	case errors.As(err, &untrusted):
		return "its certificate is not trusted: " + safetext.SingleLine(untrusted.Err.Error(), maxMessage)
	case errors.As(err, &unknown):
		return safetext.SingleLine(unknown.Error(), maxMessage)
	case errors.As(err, &network):
		return safetext.SingleLine(network.Error(), maxMessage)
	case errors.Is(err, http.ErrSchemeMismatch):
		return "it does not speak TLS"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "the connection ended before the answer did"
	}
	return "it, or a proxy on the way, gave no answer in HTTP"
}
