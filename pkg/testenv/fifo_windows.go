package testenv

import "errors"

// Mkfifo fails: folders of Windows hold no named pipes.
func Mkfifo(string) error { return errors.ErrUnsupported }
