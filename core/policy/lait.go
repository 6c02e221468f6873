package policy

const laitFields = "trigger_rounds trigger_tokens keep_last_n model strict"

// laitKeep is lait's default of keep_last_n.
const laitKeep = 4

// laitConfig is lait's default.compaction; 0 and "" are unset.
type laitConfig struct {
	rounds, tokens, keep int
	model                string
	strict               bool
}

// policy compiles the two triggers, any of which fires, into rules in the
// order of the document.
func (c laitConfig) policy() Policy {
	p := base()
	if c.rounds > 0 {
		p.Triggers = append(p.Triggers, Rule{Rounds: c.rounds})
	}
	if c.tokens > 0 {
		p.Triggers = append(p.Triggers, Rule{Tokens: c.tokens})
	}
	p.Usage = LastPrompt
	p.Keep = Keep{Instructions: true, LastMessages: c.keep}
	p.Summary.Role = "assistant"
	p.Summary.Model = c.model
	p.Strict = c.strict
	return p
}

// readLait reads the value of policy.lait. lait itself notices a missing or a
// zero trigger only inside the loop; here it is refused when the policy is
// given.
func readLait(v value) laitConfig {
	c := laitConfig{keep: laitKeep}
	f, ok := v.object(laitFields)
	if !ok {
		return c
	}
	f.unset("trigger_rounds", "trigger_tokens", "model")
	f.integer("trigger_rounds", 1, &c.rounds)
	f.integer("trigger_tokens", 1, &c.tokens)
	f.integer("keep_last_n", 0, &c.keep)
	f.named("model", "the alias or the id of a model, not blank", &c.model)
	f.boolean("strict", &c.strict)
	if !f.has("trigger_rounds") && !f.has("trigger_tokens") {
		f.complain("needs trigger_rounds or trigger_tokens, or both")
	}
	return c
}
