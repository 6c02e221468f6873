package state

import "strings"

// The systems whose policies the page offers.
const (
	Lait     = "lait"
	Codex    = "codex"
	Balanced = "balanced"
	FromFile = "file" // whatever a file says: another system's configuration, or JSON
)

// The controls that stand outside of a policy.
const (
	KeySystem       = "system"
	KeyFormat       = "format"
	KeyConversation = "conversation"
	KeyModel        = "model"
	KeyRound        = "round"
	KeyPromptTokens = "prompt_tokens"
	KeyPhase        = "phase"
	KeyForce        = "force"
	KeyRewrite      = "rewrite"
	KeyFile         = "file.text"
)

// field is one control of a policy.
type field struct {
	name   string // in the policy
	number bool   // written into the JSON as it is typed, if it is a number
}

// policyFields lists the controls of each system in the order in which they
// are sent. A control's key is system.name.
var policyFields = map[string][]field{
	Lait: {{"trigger_rounds", true}, {"trigger_tokens", true}, {"keep_last_n", true}, {"model", false}},
	Codex: {
		{"model_context_window", true},
		{"model_auto_compact_token_limit", true},
		{"user_message_tokens", true},
		{"summary_prefix", false},
		{"compact_prompt", false},
	},
	Balanced: {{"fraction", true}, {"last_tokens", true}, {"context_window", true}},
}

// params says which control an error of the engine is about. All that a
// policy of its own form holds follows from policyFields.
var params = map[string]string{
	"policy.triggers[0].fraction": "balanced.fraction",
	"policy.keep.last_tokens":     "balanced.last_tokens",
	"model":                       KeyModel,
	"model.id":                    KeyModel,
	"model.context_window":        "balanced.context_window",
	"usage.prompt_tokens":         KeyPromptTokens,
	"usage":                       KeyPromptTokens,
	"round":                       KeyRound,
	"phase":                       KeyPhase,
	"trigger":                     KeyPhase,
	"format":                      KeyFormat,
	"conversation":                KeyConversation,
	"rewrite":                     KeyRewrite,
	"summary":                     KeySummary,
}

// KeySummary is the key under which an error of the summary is shown.
const KeySummary = "summary"

// control is the key of the control that param is about, "" if none is.
func control(param string) string {
	if key, ok := params[param]; ok {
		return key
	}
	for system, fields := range policyFields {
		rest, ok := strings.CutPrefix(param, "policy."+system+".")
		if !ok {
			continue
		}
		for _, f := range fields {
			if f.name == rest {
				return system + "." + rest
			}
		}
	}
	return ""
}
