package policy_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/policy"
	"github.com/tamp-dev/tamp/core/transcript"
)

// refused fails unless raw is refused at path with exactly that message.
func refused(t *testing.T, raw, path, message string) {
	t.Helper()
	p, err := policy.Compile([]byte(raw), nil)
	var e *transcript.Error
	if !errors.As(err, &e) {
		t.Errorf("%s: error %v of type %T", raw, err, err)
		return
	}
	if p != nil {
		t.Errorf("%s: an error and a policy", raw)
	}
	if e.Code != "invalid_policy" || e.Path != path || e.Message != message {
		t.Errorf("%s:\n got %s | %s: %s\nwant invalid_policy | %s: %s", raw, e.Code, e.Path, e.Message, path, message)
	}
}

const forms = `{"lait": {..}}, {"codex": {..}} or {"preset": "balanced", ..}`

func TestFormErrors(t *testing.T) {
	const top = "unknown field, the fields are preset, triggers, scope, keep, tools, summary, strict, lait and codex"
	for _, c := range []struct{ raw, path, message string }{
		{`"default:\n  compaction:"`, "policy", "is a string: config text is not read here, send the object, " + forms},
		{`[]`, "policy", "is a list, must be an object, " + forms},
		{`6`, "policy", "is 6, must be an object, " + forms},
		{`true`, "policy", "is true, must be an object, " + forms},
		{`{"lait":{"trigger_rounds":1},"codex":{}}`, "policy", "holds lait and codex, must be exactly one of " + forms},
		{`{"lait":{"trigger_rounds":1},"keep":{}}`, "policy", "holds keep and lait, must be exactly one of " + forms},
		{`{"preset":"lait","lait":{"trigger_rounds":1}}`, "policy", "holds preset and lait, must be exactly one of " + forms},
		{`{"codex":{},"lait":{"trigger_rounds":1},"strict":true,"preset":"codex"}`, "policy", "holds preset, lait and codex, must be exactly one of " + forms},
		{`{"lait":null}`, "policy.lait", "is null, must be an object"},
		{`{"codex":[]}`, "policy.codex", "is a list, must be an object"},
		{`{"lait":"trigger_rounds: 6"}`, "policy.lait", `is the string "trigger_rounds: 6", must be an object`},
		{`{"default":{"compaction":{}}}`, "policy.default", top},
		{`{"presets":"lait"}`, "policy.presets", "unknown field, did you mean preset?"},
		{`{"trigger_rounds":6}`, "policy.trigger_rounds", "unknown field, did you mean lait.trigger_rounds?"},
		{`{"last_message":6}`, "policy.last_message", "unknown field, did you mean keep.last_messages?"},
		{`{"preset":"lait","preset":"lait"}`, "policy.preset", "is given twice, must be given once"},
		{`{"lait":{"trigger_rounds":1},"la\u0069t":{"trigger_rounds":1}}`, "policy.lait", "is given twice, must be given once"},
		{`{"preset":"balancd"}`, "policy.preset", `is the string "balancd", must be "balanced", "lait", "codex" or "prune"`},
		{`{"preset":null}`, "policy.preset", `is null, must be "balanced", "lait", "codex" or "prune"`},
		{`{"keep_last":3}`, "policy.keep_last", "unknown field, did you mean tools.keep_last?"},
		{`{"preset":"codex","scope":"prefix"}`, "policy.scope", `is the string "prefix", must be "total" or "body_after_prefix"`},
		{`{"scope":"totl"}`, "policy.scope", `is the string "totl", must be "total" or "body_after_prefix"`},
		{`{"strict":1}`, "policy.strict", "is 1, must be true or false"},
		{`{"lait":`, "policy", "is not valid JSON: unexpected end of JSON input (byte 8)"},
		{`{} {}`, "policy", "is not valid JSON: invalid character '{' after top-level value (byte 4)"},
		{`{"a.b":1}`, `policy["a.b"]`, top},
		{`{"":1}`, `policy[""]`, top},
		{`{"` + strings.Repeat("圧", 30) + `":1}`, `policy["` + strings.Repeat("圧", 13) + `…"]`, top},
	} {
		refused(t, c.raw, c.path, c.message)
	}
}

func TestLaitErrors(t *testing.T) {
	for _, c := range []struct{ raw, path, message string }{
		{`{}`, "", "needs trigger_rounds or trigger_tokens, or both"},
		{`{"keep_last_n":4}`, "", "needs trigger_rounds or trigger_tokens, or both"},
		{`{"trigger_rounds":null,"trigger_tokens":null}`, "", "needs trigger_rounds or trigger_tokens, or both"},
		{`{"trigger_rounds":0}`, ".trigger_rounds", "is 0, must be an integer of at least 1"},
		{`{"trigger_tokens":0,"trigger_rounds":3}`, ".trigger_tokens", "is 0, must be an integer of at least 1"},
		{`{"trigger_rounds":-1}`, ".trigger_rounds", "is -1, must be an integer of at least 1"},
		{`{"trigger_rounds":"6"}`, ".trigger_rounds", `is the string "6", must be an integer of at least 1`},
		{`{"trigger_rounds":true}`, ".trigger_rounds", "is true, must be an integer of at least 1"},
		{`{"trigger_rounds":[6]}`, ".trigger_rounds", "is a list, must be an integer of at least 1"},
		{`{"trigger_rounds":{}}`, ".trigger_rounds", "is an object, must be an integer of at least 1"},
		{`{"trigger_rounds":6.5}`, ".trigger_rounds", "is 6.5, must be an integer of at least 1, written without point and exponent"},
		{`{"trigger_rounds":6.0}`, ".trigger_rounds", "is 6.0, must be an integer of at least 1, written without point and exponent"},
		{`{"trigger_tokens":6e4}`, ".trigger_tokens", "is 6e4, must be an integer of at least 1, written without point and exponent"},
		{`{"trigger_tokens":9007199254740992}`, ".trigger_tokens", "is 9007199254740992, must be an integer of at most 9007199254740991"},
		{`{"trigger_tokens":9223372036854775808}`, ".trigger_tokens", "is 9223372036854775808, must be an integer of at most 9007199254740991"},
		{`{"trigger_tokens":` + strings.Repeat("9", 50) + `}`, ".trigger_tokens", "is " + strings.Repeat("9", 40) + "…, must be an integer of at most 9007199254740991"},
		{`{"trigger_tokens":-` + strings.Repeat("9", 39) + `}`, ".trigger_tokens", "is -" + strings.Repeat("9", 39) + ", must be an integer of at least 1"},
		{`{"trigger_rounds":1,"keep_last_n":-1}`, ".keep_last_n", "is -1, must be an integer of at least 0"},
		{`{"trigger_rounds":1,"keep_last_n":-0}`, ".keep_last_n", "is -0, must be an integer of at least 0"},
		{`{"trigger_rounds":1,"keep_last_n":null}`, ".keep_last_n", "is null, must be an integer of at least 0"},
		{`{"trigger_rounds":1,"model":""}`, ".model", `is the string "", must be the alias or the id of a model, not blank`},
		{`{"trigger_rounds":1,"model":" "}`, ".model", `is the string " ", must be the alias or the id of a model, not blank`},
		{`{"trigger_rounds":1,"model":5}`, ".model", "is 5, must be the alias or the id of a model, not blank"},
		{`{"trigger_rounds":1,"strict":null}`, ".strict", "is null, must be true or false"},
		{`{"trigger_rounds":1,"strict":"true"}`, ".strict", `is the string "true", must be true or false`},
		{`{"trigger_rounds":1,"temperature":0}`, ".temperature", "unknown field, the fields are trigger_rounds, trigger_tokens, keep_last_n, model and strict"},
		// The misspelt trigger is the one problem here, not also a missing one.
		{`{"trigger_round":6}`, ".trigger_round", "unknown field, did you mean trigger_rounds?"},
		{`{"triggerTokens":6}`, ".triggerTokens", "unknown field, did you mean trigger_tokens?"},
		{`{"Trigger_Rounds":6}`, ".Trigger_Rounds", "unknown field, did you mean trigger_rounds?"},
		{`{"trigger_rounds":6,"trigger_rounds":7}`, ".trigger_rounds", "is given twice, must be given once"},
		{`{"trigger_rounds":6,"trigger_rounds":null}`, ".trigger_rounds", "is given twice, must be given once"},
	} {
		refused(t, `{"lait":`+c.raw+`}`, "policy.lait"+c.path, c.message)
	}
}

func TestTheErrorOfTheManual(t *testing.T) {
	_, err := policy.Compile([]byte(`{"lait":{"trigger_round":6}}`), nil)
	if err == nil || err.Error() != "policy.lait.trigger_round: unknown field, did you mean trigger_rounds?" {
		t.Error(err)
	}
}

func TestCodexErrors(t *testing.T) {
	for _, c := range []struct{ raw, path, message string }{
		{`{"model_context_window":0}`, ".model_context_window", "is 0, must be an integer of at least 1"},
		{`{"model_auto_compact_token_limit":0}`, ".model_auto_compact_token_limit", "is 0, must be an integer of at least 1"},
		{`{"model_auto_compact_token_limit":"200000"}`, ".model_auto_compact_token_limit", `is the string "200000", must be an integer of at least 1`},
		{`{"model_auto_compact_token_limit_scope":"body"}`, ".model_auto_compact_token_limit_scope", `is the string "body", must be "total" or "body_after_prefix"`},
		{`{"model_auto_compact_token_limit_scope":"all"}`, ".model_auto_compact_token_limit_scope", `is the string "all", must be "total" or "body_after_prefix"`},
		{`{"implementation":"Local"}`, ".implementation", `is the string "Local", must be "local", "remote" or "remote_v1"`},
		{`{"implementation":null}`, ".implementation", `is null, must be "local", "remote" or "remote_v1"`},
		{`{"compact_prompt":["Sum up."]}`, ".compact_prompt", "is a list, must be a string"},
		{`{"summary_prefix":null}`, ".summary_prefix", "is null, must be a string"},
		{`{"user_message_tokens":-1}`, ".user_message_tokens", "is -1, must be an integer of at least 0"},
		{`{"user_message_tokens":null}`, ".user_message_tokens", "is null, must be an integer of at least 0"},
		{`{"strict":0}`, ".strict", "is 0, must be true or false"},
		{`{"auto_compact_token_limit":9}`, ".auto_compact_token_limit", "unknown field, did you mean model_auto_compact_token_limit?"},
		{`{"keep_last_n":9}`, ".keep_last_n", "unknown field, the fields are model_context_window, model_auto_compact_token_limit, " +
			"model_auto_compact_token_limit_scope, implementation, compact_prompt, summary_prefix, user_message_tokens and strict"},
		{`{"implementation":"local","implementation":"local"}`, ".implementation", "is given twice, must be given once"},
	} {
		refused(t, `{"codex":`+c.raw+`}`, "policy.codex"+c.path, c.message)
	}
}

func TestOverrideErrors(t *testing.T) {
	const share = "must be a number above 0 and at most 1"
	const onePin = "must hold exactly one of index, id and text"
	for _, c := range []struct{ raw, path, message string }{
		{`{"triggers":null}`, "policy.triggers", "is null, must be a list of rules ([] is off)"},
		{`{"triggers":{"rounds":6}}`, "policy.triggers", "is an object, must be a list of rules ([] is off)"},
		{`{"triggers":[{"rounds":6},6]}`, "policy.triggers[1]", "is 6, must be an object"},
		{`{"triggers":[{}]}`, "policy.triggers[0]", "is empty, must hold at least one of rounds, tokens, fraction, messages, turns, bytes and tool_output_share"},
		{`{"triggers":[{"round":6}]}`, "policy.triggers[0].round", "unknown field, did you mean rounds?"},
		{`{"triggers":[{"window":6}]}`, "policy.triggers[0].window", "unknown field, the fields are rounds, tokens, fraction, messages, turns, bytes and tool_output_share"},
		{`{"triggers":[{"rounds":0}]}`, "policy.triggers[0].rounds", "is 0, must be an integer of at least 1"},
		{`{"triggers":[{"tokens":null}]}`, "policy.triggers[0].tokens", "is null, must be an integer of at least 1"},
		{`{"triggers":[{"messages":0}]}`, "policy.triggers[0].messages", "is 0, must be an integer of at least 1"},
		{`{"triggers":[{"turns":-2}]}`, "policy.triggers[0].turns", "is -2, must be an integer of at least 1"},
		{`{"triggers":[{"bytes":1.5}]}`, "policy.triggers[0].bytes", "is 1.5, must be an integer of at least 1, written without point and exponent"},
		{`{"triggers":[{"fraction":0}]}`, "policy.triggers[0].fraction", "is 0, " + share},
		{`{"triggers":[{"fraction":-0.5}]}`, "policy.triggers[0].fraction", "is -0.5, " + share},
		{`{"triggers":[{"fraction":80}]}`, "policy.triggers[0].fraction", "is 80, " + share},
		{`{"triggers":[{"fraction":1e-999}]}`, "policy.triggers[0].fraction", "is 1e-999, " + share},
		{`{"triggers":[{"fraction":1e999}]}`, "policy.triggers[0].fraction", "is 1e999, " + share},
		{`{"triggers":[{"fraction":"0.8"}]}`, "policy.triggers[0].fraction", `is the string "0.8", ` + share},
		{`{"triggers":[{"tool_output_share":1.01}]}`, "policy.triggers[0].tool_output_share", "is 1.01, " + share},
		{`{"triggers":[{"rounds":1,"rounds":1}]}`, "policy.triggers[0].rounds", "is given twice, must be given once"},
		{`{"triggers":[` + strings.Repeat(`{"rounds":1},`, 64) + `{"rounds":1}]}`, "policy.triggers", "holds 65 elements, may hold at most 64"},

		{`{"keep":null}`, "policy.keep", "is null, must be an object"},
		{`{"keep":{"last_message":2}}`, "policy.keep.last_message", "unknown field, did you mean last_messages?"},
		{`{"keep":{"instructions":null}}`, "policy.keep.instructions", "is null, must be true or false"},
		{`{"keep":{"initial_context":"yes"}}`, "policy.keep.initial_context", `is the string "yes", must be true or false`},
		{`{"keep":{"first_user":1}}`, "policy.keep.first_user", "is 1, must be true or false"},
		{`{"keep":{"last_messages":-1}}`, "policy.keep.last_messages", "is -1, must be an integer of at least 0"},
		{`{"keep":{"last_tokens":null}}`, "policy.keep.last_tokens", "is null, must be an integer of at least 0"},
		{`{"keep":{"last_turns":"3"}}`, "policy.keep.last_turns", `is the string "3", must be an integer of at least 0`},
		{`{"keep":{"user_tokens":2e4}}`, "policy.keep.user_tokens", "is 2e4, must be an integer of at least 0, written without point and exponent"},
		{`{"keep":{"pins":{"index":7}}}`, "policy.keep.pins", "is an object, must be a list of pins"},
		{`{"keep":{"pins":[7]}}`, "policy.keep.pins[0]", "is 7, must be an object"},
		{`{"keep":{"pins":[{}]}}`, "policy.keep.pins[0]", "is empty, " + onePin},
		{`{"keep":{"pins":[{"index":0},{"text":"a","index":1}]}}`, "policy.keep.pins[1]", "holds index and text, " + onePin},
		{`{"keep":{"pins":[{"index":-1}]}}`, "policy.keep.pins[0].index", "is -1, must be an integer of at least 0"},
		{`{"keep":{"pins":[{"index":null}]}}`, "policy.keep.pins[0].index", "is null, must be an integer of at least 0"},
		{`{"keep":{"pins":[{"id":""}]}}`, "policy.keep.pins[0].id", `is the string "", must be the id of an item, not blank`},
		{`{"keep":{"pins":[{"text":""}]}}`, "policy.keep.pins[0].text", `is the string "", must be a text to look for, not blank`},
		{`{"keep":{"pins":[{"txt":"a"}]}}`, "policy.keep.pins[0].txt", "unknown field, did you mean text?"},
		{`{"keep":{"pins":[` + strings.Repeat(`{"index":1},`, 1000) + `{"index":1}]}}`, "policy.keep.pins", "holds 1001 elements, may hold at most 1000"},

		{`{"keep":{"all":"yes"}}`, "policy.keep.all", `is the string "yes", must be true or false`},
		{`{"keep":{"last_messages":2,"all":true}}`, "policy.keep.all", "is true without tools, so that nothing could ever be compacted: add tools, or leave it out"},
		{`{"preset":"codex","keep":{"all":true}}`, "policy.keep.all", "is true without tools, so that nothing could ever be compacted: add tools, or leave it out"},
		// The misspelt field is the one problem here.
		{`{"keep":{"all":true},"tool":{}}`, "policy.tool", "unknown field, did you mean tools?"},
		{`{"keep":{"all":true},"tools":3}`, "policy.tools", "is 3, must be an object"},

		{`{"tools":null}`, "policy.tools", "is null, must be an object"},
		{`{"tools":[]}`, "policy.tools", "is a list, must be an object"},
		{`{"tools":{"keep_last_n":3}}`, "policy.tools.keep_last_n", "unknown field, did you mean keep_last?"},
		{`{"tools":{"keep_last":-1}}`, "policy.tools.keep_last", "is -1, must be an integer of at least 0"},
		{`{"tools":{"protect_tokens":"4k"}}`, "policy.tools.protect_tokens", `is the string "4k", must be an integer of at least 0`},
		{`{"tools":{"min_gain":null}}`, "policy.tools.min_gain", "is null, must be an integer of at least 0"},
		{`{"tools":{"exclude":"skill"}}`, "policy.tools.exclude", `is the string "skill", must be a list of tool names`},
		{`{"tools":{"exclude":["skill",7]}}`, "policy.tools.exclude[1]", "is 7, must be the name of a tool, not blank"},
		{`{"tools":{"exclude":[" "]}}`, "policy.tools.exclude[0]", `is the string " ", must be the name of a tool, not blank`},
		{`{"tools":{"exclude":[` + strings.Repeat(`"a",`, 1000) + `"a"]}}`, "policy.tools.exclude", "holds 1001 elements, may hold at most 1000"},
		{`{"tools":{"keep_errors":"all"}}`, "policy.tools.keep_errors", `is the string "all", must be true or false`},
		{`{"tools":{"inputs":["shell"]}}`, "policy.tools.inputs", "is a list, must be true or false"},
		{`{"tools":{"reasoning":"none"}}`, "policy.tools.reasoning", `is the string "none", must be "keep" or "drop"`},
		{`{"tools":{"media":true}}`, "policy.tools.media", `is true, must be "keep" or "placeholder"`},
		{`{"preset":"prune","tools":{"exclud":[]}}`, "policy.tools.exclud", "unknown field, did you mean exclude?"},

		{`{"summary":"short"}`, "policy.summary", `is the string "short", must be an object`},
		{`{"summary":{"rol":"user"}}`, "policy.summary.rol", "unknown field, did you mean role?"},
		{`{"summary":{"role":"system"}}`, "policy.summary.role", `is the string "system", must be "user" or "assistant"`},
		{`{"summary":{"place":"start"}}`, "policy.summary.place", `is the string "start", must be "after_instructions" or "end"`},
		{`{"summary":{"prefix":1}}`, "policy.summary.prefix", "is 1, must be a string"},
		{`{"summary":{"prompt":null}}`, "policy.summary.prompt", "is null, must be a string"},
		{`{"summary":{"model":null}}`, "policy.summary.model", "is null, must be a string"},
		{`{"summary":{"language":"j"}}`, "policy.summary.language", `is the string "j", must be "auto" or a language tag of 2 to 35 letters, digits and hyphens`},
		{`{"summary":{"language":"ja_JP"}}`, "policy.summary.language", `is the string "ja_JP", must be "auto" or a language tag of 2 to 35 letters, digits and hyphens`},
		{`{"summary":{"language":"` + strings.Repeat("a", 36) + `"}}`, "policy.summary.language", `is the string "` + strings.Repeat("a", 36) + `", must be "auto" or a language tag of 2 to 35 letters, digits and hyphens`},
		{`{"summary":{"max_tokens":-1}}`, "policy.summary.max_tokens", "is -1, must be an integer of at least 0"},
		{`{"summary":{"send_tools":true}}`, "policy.summary.send_tools", `is true, must be "auto", "always" or "never"`},
		{`{"summary":{"on_failure":"retry"}}`, "policy.summary.on_failure", `is the string "retry", must be "error", "digest" or "keep"`},
	} {
		refused(t, c.raw, c.path, c.message)
	}
}

// All problems come at once, in the order of the text.
func TestSeveralProblems(t *testing.T) {
	refused(t, `{"lait":{"keep_last_n":-1,"trigger_round":6,"strict":0}}`, "policy.lait.keep_last_n",
		"is -1, must be an integer of at least 0; also policy.lait.trigger_round: unknown field, did you mean trigger_rounds?"+
			"; also policy.lait.strict: is 0, must be true or false")
	refused(t, `{"lait":{"temperature":1}}`, "policy.lait.temperature",
		"unknown field, the fields are trigger_rounds, trigger_tokens, keep_last_n, model and strict"+
			"; also policy.lait: needs trigger_rounds or trigger_tokens, or both")
	refused(t, `{"codex":{"implementation":"Remote"},"lait":{}}`, "policy.codex.implementation",
		`is the string "Remote", must be "local", "remote" or "remote_v1"`+
			"; also policy.lait: needs trigger_rounds or trigger_tokens, or both"+
			"; also policy: holds lait and codex, must be exactly one of "+forms)
	refused(t, `{"keep":{"pins":[{"index":-1,"id":""}]},"triggers":[{"rounds":0},{}]}`, "policy.keep.pins[0].index",
		"is -1, must be an integer of at least 0"+
			`; also policy.keep.pins[0].id: is the string "", must be the id of an item, not blank`+
			"; also policy.keep.pins[0]: holds index and id, must hold exactly one of index, id and text"+
			"; also policy.triggers[0].rounds: is 0, must be an integer of at least 1"+
			"; also policy.triggers[1]: is empty, must hold at least one of rounds, tokens, fraction, messages, turns, bytes and tool_output_share")
}

// A message has an end whatever comes in: 16 problems are told, 64 remembered
// and all of them counted.
func TestManyProblems(t *testing.T) {
	for _, n := range []int{16, 17, 64, 65, 1000} {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `,"x%d":0`, i)
		}
		_, err := policy.Compile([]byte(`{"lait":{"trigger_rounds":1`+b.String()+`}}`), nil)
		var e *transcript.Error
		if !errors.As(err, &e) {
			t.Fatal(err)
		}
		if e.Path != "policy.lait.x0" || strings.Count(e.Message, "; also policy.lait.x") != 15 {
			t.Errorf("%d: %v", n, e)
		}
		more := fmt.Sprintf("; and %d more", n-16)
		if strings.HasSuffix(e.Message, more) != (n > 16) || strings.Contains(e.Message, "; and ") != (n > 16) {
			t.Errorf("%d: %v", n, e)
		}
	}

	// Wrong values count like unknown names.
	_, err := policy.Compile([]byte(`{"triggers":[{"rounds":0}`+strings.Repeat(`,{"rounds":0}`, 63)+`]}`), nil)
	if err == nil || !strings.HasSuffix(err.Error(), "; also policy.triggers[15].rounds: is 0, must be an integer of at least 1; and 48 more") {
		t.Error(err)
	}
}
