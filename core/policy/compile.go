package policy

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// Compile reads the request's "policy" for the given model (nil is unknown)
// into the Policy that the engine runs. raw is one of
//
//	{"lait": {..}}                lait's own fields
//	{"codex": {..}}               Codex's own fields
//	{"preset": "balanced", ..}    a preset, the default if none is named, and
//	                              what differs from it
//
// and nil, blank or null is the default preset. Nothing that the model says is
// an error: values of 0 and below are unknown.
//
// Every error is a *transcript.Error with code invalid_policy. Its path is that
// of the problem that stands first in raw, its message tells all of them (at
// most 16, the rest as a number). Names are matched exactly, order does not
// matter, and a name that is given twice, null where the field is not one of
// the few that null unsets, and 6.0 for an integer are refused.
//
// Cost: linear in raw.
func Compile(raw []byte, model *Model) (*Policy, error) {
	to := &report{}
	p := compile(raw, model, to)
	if err := to.err(); err != nil {
		return nil, err
	}
	if p.Limits == (Limits{}) {
		p.Limits.Auto, p.Limits.Hard = model.limits(0, 0)
	}
	return &p, nil
}

func compile(raw []byte, m *Model, to *report) Policy {
	v := value{raw: bytes.TrimSpace(raw), path: "policy", to: to}
	if len(v.raw) == 0 {
		return preset(Default, m)
	}
	var whole json.RawMessage
	if err := json.Unmarshal(v.raw, &whole); err != nil {
		message := "is not valid JSON: " + err.Error()
		if s := (*json.SyntaxError)(nil); errors.As(err, &s) {
			message += fmt.Sprintf(" (byte %d)", s.Offset)
		}
		to.add(0, v.path, message)
		return Policy{}
	}
	switch v.raw[0] {
	case 'n':
		return preset(Default, m)
	case '{':
		return v.form(m)
	case '"':
		to.add(0, v.path, "is a string: config text is not read here, send the object, "+forms)
	default:
		to.add(0, v.path, "is "+v.describe()+", must be an object, "+forms)
	}
	return Policy{}
}

// forms shows what a policy looks like.
const forms = `{"lait": {..}}, {"codex": {..}} or {"preset": "balanced", ..}`

// form finds which of the three forms this is. All forms that are there are
// read even when only one may be, so that one try shows every problem.
func (v value) form(m *Model) Policy {
	f, ok := v.object(presetFields+" lait codex", deeper()...)
	if !ok {
		return Policy{}
	}
	p := readPreset(f, m) // the default preset where nothing of it is given
	var given []string    // one name for each form that is there
	for _, name := range strings.Fields(presetFields) {
		if _, ok := f.got[name]; ok {
			given = append(given, name)
			break
		}
	}
	if l, ok := f.got["lait"]; ok {
		given = append(given, "lait")
		p = readLait(l).policy()
	}
	if c, ok := f.got["codex"]; ok {
		given = append(given, "codex")
		p = readCodex(c).policy(m)
	}
	if len(given) > 1 {
		f.complain(fmt.Sprintf("holds %s, must be exactly one of %s", series(given, "and"), forms))
	}
	return p
}

// deeper are the names one level down, for those who wrote one of them at the
// top.
func deeper() []string {
	var out []string
	for _, o := range [][2]string{{"keep", keepFields}, {"tools", toolsFields}, {"summary", summaryFields}, {"lait", laitFields}, {"codex", codexFields}} {
		for _, name := range strings.Fields(o[1]) {
			out = append(out, o[0]+"."+name)
		}
	}
	return out
}
