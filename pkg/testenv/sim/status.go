package main

import (
	"errors"
)

func (s *simulation) status() error { return errors.New("later") }
