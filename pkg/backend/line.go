package backend

import (
	"errors"

	"github.com/waybill-dev/waybill/pkg/safetext"
)

// maxMessage bounds messages, in bytes.
const maxMessage = 300

func oneLine(err error) error { return errors.New(safetext.SingleLine(err.Error(), maxMessage)) }
