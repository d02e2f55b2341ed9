package mapping

import (
	"errors"
	"fmt"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"

	"github.com/waybill-dev/waybill/pkg/correspond"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// publicError is an error whose words tell nothing of what was asked about: it is shown where Secrets are.
type publicError struct{ error }

// Unwrap implements what package errors looks for.
func (o publicError) Unwrap() error { return o.error }

func isPublic(err error) bool {
	var o publicError
	return errors.As(err, &o)
}

func isSecret(o *krm.Object) bool { return o != nil && o.Is("", "Secret") }

// seesSecret reports whether a Secret is among what a request tells, or may be in the answer.
func (r *Request) seesSecret() bool {
	_, made := r.Outputs[secretType]
	return made || isSecret(r.Parent) || isSecret(r.Input) || len(r.Related[secretType]) > 0
}

// secretType is the group of Secrets.
const secretType = "Secret.v1"

// redact is err without what a hook said, where that may be the value of a secret.
func (r *Request) redact(err error) error {
	if !r.seesSecret() || isPublic(err) {
		return err
	}
	return fmt.Errorf("hook %s fails; why is not shown, because a Secret is among what it sees", r.Hook)
}

// redactNotes are notes without what a hook said, where that may be the value of a secret: one of each severity.
func (r *Request) redactNotes(notes []correspond.Note) (out []correspond.Note) {
	if !r.seesSecret() {
		return notes
	}
	told := map[sdk.Severity]bool{}
	for _, n := range notes {
		if !told[n.Severity] {
			told[n.Severity] = true
			out = append(out, correspond.Note{
				Severity: n.Severity,
				Message:  fmt.Sprintf("hook %s has something to say, which is not shown, because a Secret is among what it sees", r.Hook),
			})
		}
	}
	return out
}
