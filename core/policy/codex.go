package policy

const codexFields = "model_context_window model_auto_compact_token_limit model_auto_compact_token_limit_scope " +
	"implementation compact_prompt summary_prefix user_message_tokens strict"

// What Codex's compactions keep, in tokens: the local one of real user messages,
// the remote one of all messages, and of one message of another agent.
const (
	codexUserTokens   = 20000
	codexRetainTokens = 64000
	codexAgentTokens  = 10000
)

// codexConfig is Codex's own configuration; 0 and "" are unset.
type codexConfig struct {
	window, limit  int
	prompt, prefix string
	userTokens     int
	implementation string
	scope          Scope
	strict         bool
}

// policy compiles the limits of the model at hand. Where neither a window nor
// a limit is known Codex never fires: the rule then stands as a fraction,
// which is unknown without a window, so that the user sees why.
func (c codexConfig) policy(m *Model) Policy {
	p := base()
	auto, hard := m.limits(c.window, c.limit)
	p.Limits = Limits{auto, hard}
	if p.Scope = c.scope; c.scope == BodyAfterPrefix && c.limit > 0 {
		auto = c.limit // growth is not held below nine tenths of the window
	}
	switch {
	case hard > 0:
		p.Triggers = []Rule{{Tokens: auto}, {Window: hard}}
	case auto > 0:
		p.Triggers = []Rule{{Tokens: auto}}
	default:
		p.Triggers = []Rule{{Fraction: 0.9}}
	}
	p.Counter = "bytes4"
	p.Implementation = c.implementation
	p.Keep = Keep{Instructions: true, InitialContext: true, UserTokens: c.userTokens}
	if p.Opaque() { // the budget above is then the fallback's
		p.Retain = Retain{codexRetainTokens, codexAgentTokens}
	}
	p.Summary.Place = "end"
	p.Summary.Prefix = c.prefix
	p.Summary.Prompt = c.prompt
	p.Strict = c.strict
	return p
}

// codexDefaults is what Codex does when nothing is configured.
func codexDefaults() codexConfig {
	return codexConfig{userTokens: codexUserTokens, implementation: Local, scope: Total}
}

// readCodex reads the value of policy.codex. The two numbers that Codex's own
// configuration may leave unset may be null here. A limit of 0 is refused: it
// would compact before every request, while whoever writes it most likely
// wants compaction off, which Codex cannot do ("triggers": [] can).
func readCodex(v value) codexConfig {
	c := codexDefaults()
	f, ok := v.object(codexFields)
	if !ok {
		return c
	}
	f.unset("model_context_window", "model_auto_compact_token_limit")
	f.integer("model_context_window", 1, &c.window)
	f.integer("model_auto_compact_token_limit", 1, &c.limit)
	f.scope("model_auto_compact_token_limit_scope", &c.scope)
	f.choice("implementation", "local remote remote_v1", &c.implementation)
	f.trimmed("compact_prompt", &c.prompt)
	f.trimmed("summary_prefix", &c.prefix)
	f.integer("user_message_tokens", 0, &c.userTokens)
	f.boolean("strict", &c.strict)
	return c
}

// scope reads the scope of the token limit, for both forms that have one.
func (f fields) scope(name string, to *Scope) {
	word := string(*to)
	f.choice(name, "total body_after_prefix", &word)
	*to = Scope(word)
}
