package core

import (
	"bytes"
	"strings"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
)

// redacted stands in a cassette for what was a credential.
const redacted = "[redacted]"

// cleaned is a request body without what opens doors: values under names of
// credentials and headers, such values in the query and before the host of
// addresses, and bearer tokens. The key of a cassette is the hash of it, too, so
// that a replay with another key finds the recording. A body that holds none is
// given back as it is. Cost: linear.
func cleaned(body []byte) []byte {
	v, err := rawjson.Parse(body)
	if err != nil {
		return body // no request is: it was written by us
	}
	c := cleaner{src: body}
	c.value(v, false)
	if c.at == 0 {
		return body
	}
	return append(c.out, body[c.at:]...)
}

// cleaner copies a body up to at, and what it puts in place of values.
type cleaner struct {
	src, out []byte
	at       int
}

func (c *cleaner) put(v rawjson.Value, text string) {
	c.out = append(c.out, c.src[c.at:v.Start()]...)
	c.out = rawjson.AppendQuote(c.out, text)
	c.at = v.End()
}

// value cleans what is in a value. In the properties of a JSON schema the names
// are those of parameters, and what stands under them is no secret.
func (c *cleaner) value(v rawjson.Value, properties bool) {
	switch v.Kind() {
	case rawjson.Object:
		for name, member := range v.Members() {
			if !properties && holdsSecret(member) && secretName(name) {
				c.put(member, redacted)
				continue
			}
			c.value(member, !properties && name == "properties")
		}
	case rawjson.Array:
		for e := range v.Elems() {
			c.value(e, false)
		}
	case rawjson.String:
		c.text(v)
	case rawjson.Invalid, rawjson.Null, rawjson.False, rawjson.True, rawjson.Number: // no secret is one
	}
}

// holdsSecret reports whether a value is of a kind that can be one: a number, a
// truth value or nothing is not, and no empty text or list.
func holdsSecret(v rawjson.Value) bool {
	if v.Is(rawjson.String) {
		return v.End()-v.Start() > 2
	}
	return v.Len() > 0
}

// text cleans a string that is an address or a bearer token as a whole. What only
// mentions one is a text of the conversation, and stays.
func (c *cleaner) text(v rawjson.Value) {
	const most = 8192 // bytes of an address: pictures as data: are longer and have no "://"
	if v.End()-v.Start() > most || !bytes.Contains(v.Raw(), []byte("://")) && !bytes.Contains(v.Raw(), []byte("earer ")) {
		return
	}
	was := v.Text()
	text := was
	if rest, ok := strings.CutPrefix(strings.ToLower(text), "bearer "); ok && rest != "" && !strings.ContainsAny(rest, " \t\r\n") {
		text = text[:len("bearer ")] + redacted
	} else if !strings.ContainsAny(text, " \t\r\n") {
		text = cleanAddress(text)
	}
	if text != was {
		c.put(v, text)
	}
}

// cleanAddress is an address without user and password, and without the values of
// its query and fragment that are secrets by their names.
func cleanAddress(text string) string {
	scheme, rest, ok := strings.Cut(text, "://")
	if !ok {
		return text
	}
	host, tail := rest, ""
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		host, tail = rest[:i], rest[i:]
	}
	if i := strings.LastIndexByte(host, '@'); i >= 0 {
		host = redacted + host[i:]
	}
	i := strings.IndexAny(tail, "?#")
	if i < 0 {
		return scheme + "://" + host + tail
	}
	var out strings.Builder
	out.WriteString(scheme + "://" + host + tail[:i])
	for i < len(tail) {
		end := i + 1
		for end < len(tail) && !strings.ContainsRune("?#&;", rune(tail[end])) {
			end++
		}
		name, value, is := strings.Cut(tail[i+1:end], "=")
		if is && value != "" && secretParameter(name) {
			out.WriteString(tail[i:i+1] + name + "=" + redacted)
		} else {
			out.WriteString(tail[i:end])
		}
		i = end
	}
	return out.String()
}

// plainName is a name in small letters and digits only, so that X-Api-Key,
// api_key and apiKey are one.
func plainName(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			return r
		case r >= 'A' && r <= 'Z':
			return r - 'A' + 'a'
		}
		return -1
	}, name)
}

// secretName reports whether a member is a credential, or headers, by its name.
// max_tokens, prompt_cache_key and the like are none.
func secretName(name string) bool {
	const most = 100 // bytes of a name: longer ones are no names
	if len(name) > most {
		return false
	}
	name = plainName(name)
	switch name {
	case "auth", "httpauth", "basicauth", "env", "bearer":
		return true
	}
	for _, end := range [...]string{
		"authorization", "headers", "cookie", "cookies", "apikey", "apikeys", "accesskey", "accesskeyid",
		"secretkey", "privatekey", "authkey", "subscriptionkey", "token", "secret", "secrets", "password",
		"passwd", "passphrase", "credential", "credentials",
	} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

// secretParameter is the same for what an address has in its query: there a bare
// key or signature is one.
func secretParameter(name string) bool {
	if secretName(name) {
		return true
	}
	name = plainName(name)
	for _, end := range [...]string{"key", "sig", "signature", "auth", "pwd", "jwt"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}
