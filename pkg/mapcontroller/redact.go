package mapcontroller

import (
	"errors"
	"fmt"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"

	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// publicError is an error whose text reveals nothing about the request: it is shown where Secrets are involved.
type publicError struct{ error }

// Unwrap implements the interface of package errors.
func (o publicError) Unwrap() error { return o.error }

func isPublic(err error) bool {
	var o publicError
	return errors.As(err, &o)
}

func isSecret(o *krm.Object) bool { return o != nil && o.Is("", "Secret") }

// seesSecret reports whether a request contains a Secret, or its answer may.
func (r *Request) seesSecret() bool {
	_, made := r.Outputs[secretType]
	return made || isSecret(r.Parent) || isSecret(r.Input) || len(r.Related[secretType]) > 0
}

// secretType is the key of Secrets in an Association.
const secretType = "Secret.v1"

// redact replaces an error of a hook where it may hold the value of a secret.
func (r *Request) redact(err error) error {
	if !r.seesSecret() || isPublic(err) {
		return err
	}
	return fmt.Errorf("hook %s fails; why is not shown, because a Secret is among what it sees", r.Hook)
}

// redactNotes replaces notes of a hook where they may hold the value of a secret: with one for each severity.
func (r *Request) redactNotes(notes []applyset.Note) (out []applyset.Note) {
	if !r.seesSecret() {
		return notes
	}
	told := map[sdk.Severity]bool{}
	for _, n := range notes {
		if !told[n.Severity] {
			told[n.Severity] = true
			out = append(out, applyset.Note{
				Severity: n.Severity,
				Message:  fmt.Sprintf("hook %s has something to say, which is not shown, because a Secret is among what it sees", r.Hook),
			})
		}
	}
	return out
}
