package engine

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/waybill-dev/waybill/pkg/template"
)

const (
	digits  = "0123456789"
	letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
)

// unseeded are functions whose results no seed determines: Go's libraries for keys and bcrypt take no other chance than the
// system's.
const unseeded = `genPrivateKey genCA genCAWithKey genSelfSignedCert genSelfSignedCertWithKey genSignedCert genSignedCertWithKey
	bcrypt htpasswd encryptAES`

// randoms are sprig's functions that draw random numbers. What they draw follows from the Seed of the Options.
func randoms() map[string]*function {
	all := map[string]*function{
		"randInt": {make: func(r *run) any { return r.randInt }}, "randBytes": {make: func(r *run) any { return r.randBytes }},
		"uuidv4": {make: func(r *run) any { return r.uuid }}, "shuffle": {make: func(r *run) any { return r.shuffle }},
	}
	for name, set := range map[string]string{
		"randAlphaNum": digits + letters, "randAlpha": letters, "randNumeric": digits, "randAscii": printable(),
	} {
		all[name] = &function{make: func(r *run) any {
			return func(count int) (string, error) { return r.randText(name, set, count) }
		}}
	}
	for name := range strings.FieldsSeq(unseeded) {
		all[name] = &function{reads: nothing, make: func(*run) any {
			return func(...any) (string, error) {
				return "", template.Refuse("%s gives another result on every rendering, and no seed can change that: "+
					"make it once and pass it as a value, or let a controller in the cluster make it", name)
			}
		}}
	}
	return all
}

func printable() string {
	var all strings.Builder
	for c := byte(' '); c <= '~'; c++ {
		all.WriteByte(c)
	}
	return all.String()
}

// chance is the source of random numbers of a call. It follows from the seed, the file, the function, its arguments and how often
// the file called it with these before, so that other calls that are added to a chart change nothing.
func (r *run) chance(function string, args ...any) (*rand.ChaCha8, error) {
	if r.options.Seed == "" {
		return nil, template.Refuse("%s gives another result on every rendering: set a value in place of it, "+
			"or set a seed, from which everyone who can read it can compute the result", function)
	}
	call := fmt.Sprintf("%q %q %q", r.current, function, args)
	r.drawn++
	r.chances[call]++
	mac := hmac.New(sha256.New, []byte(r.options.Seed))
	fmt.Fprintf(mac, "%s %d", call, r.chances[call])
	return rand.NewChaCha8([32]byte(mac.Sum(nil))), nil
}

// below is a number from 0 to n-1, all equally likely.
func below(c *rand.ChaCha8, n uint64) uint64 {
	for limit := -n % n; ; { // 2^64 mod n
		if v := c.Uint64(); v >= limit {
			return v % n
		}
	}
}

func (r *run) randText(function, set string, count int) (string, error) {
	c, err := r.chance(function, count)
	if err != nil {
		return "", err
	}
	if count < 0 || count > maxItems {
		return "", template.Refuse("%s wants a length from 0 to %d", function, maxItems)
	}
	text := make([]byte, count)
	for i := range text {
		text[i] = set[below(c, uint64(len(set)))]
	}
	return string(text), r.Draw(count)
}

func (r *run) randInt(least, end int) (int, error) {
	c, err := r.chance("randInt", least, end)
	if err != nil {
		return 0, err
	}
	if end <= least || end-least <= 0 {
		return 0, template.Refuse("randInt wants a number, and a larger one")
	}
	return least + int(below(c, uint64(end-least))), nil
}

func (r *run) randBytes(count int) (string, error) {
	c, err := r.chance("randBytes", count)
	if err != nil {
		return "", err
	}
	if count < 0 || count > maxItems {
		return "", template.Refuse("randBytes wants a length from 0 to %d", maxItems)
	}
	made := make([]byte, count)
	_, err = c.Read(made)
	return base64.StdEncoding.EncodeToString(made), err
}

func (r *run) uuid() (string, error) {
	c, err := r.chance("uuidv4")
	if err != nil {
		return "", err
	}
	var u [16]byte
	if _, err := c.Read(u[:]); err != nil {
		return "", err
	}
	u[6], u[8] = u[6]&0x0f|0x40, u[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", u[:4], u[4:6], u[6:8], u[8:10], u[10:]), nil
}

func (r *run) shuffle(text string) (string, error) {
	c, err := r.chance("shuffle", text)
	if err != nil {
		return "", err
	}
	runes := []rune(text)
	for i := len(runes) - 1; i > 0; i-- {
		j := below(c, uint64(i+1))
		runes[i], runes[j] = runes[j], runes[i]
	}
	return string(runes), r.Draw(len(runes))
}
