package core_test

// report is a complaint about another system: what breaks there, and the cases
// that show that it does not break here, or why none of it is a library's.
type report struct {
	number string // in the list that we work through; "+" are those beside it
	from   string // where it was reported
	breaks string
	cases  string // names in testdata/issues
	none   string // why there is no case
}

// Nearly all of it is a library's business. What is left to a host (drawing,
// storing, retrying over the network) is said where a part of a report is that.
func reports() []report {
	return []report{
		// Structure.
		{number: "1", from: "langchain-ai/langchain#38352", breaks: "one id of a run of results matches, the other result is an orphan", cases: "tail-begins-with-results-of-two-calls tail-begins-with-results-of-two-answers"},
		{number: "2", from: "langchain-ai/langchain#34282", breaks: "ten parallel calls, the last six messages stay", cases: "cut-inside-ten-parallel-calls"},
		{number: "3", from: "langchain-ai/langmem#98", breaks: "results come out twice", cases: "results-come-out-twice"},
		{number: "4", from: "microsoft/semantic-kernel#12708, #13062", breaks: "the result stays, its call goes", cases: "result-kept-call-cut"},
		{number: "5", from: "google/adk-python#4740", breaks: "a confirmation that waits is summarised away", cases: "waiting-confirmation-folded"},
		{number: "6", from: "google/adk-python#5602", breaks: "an interim response closes the call", cases: "interim-response-closes-call"},
		{number: "7", from: "vercel/ai#11036", breaks: "reasoning and call are parted", cases: "reasoning-parted-from-its-call"},
		{number: "8", from: "vercel/ai#13430", breaks: "a message is left with reasoning alone", cases: "only-reasoning-is-left"},
		{number: "9", from: "anomalyco/opencode#41738, openclaw/openclaw#97645", breaks: "signed thinking is changed", cases: "signed-thinking-touched"},
		{number: "10", from: "earendil-works/pi#9391", breaks: "signatures over a beginning that is gone are sent every turn", cases: "kept-tail-carries-old-signatures"},
		{number: "11", from: "karthink/gptel#1146", breaks: "a function call without its signature", cases: "call-without-its-signature"},
		{number: "12", from: "NousResearch/hermes-agent#74086, mistralai/mistral-vibe#902", breaks: "user after user, user after tool", cases: "summary-behind-a-user-message"},
		{number: "13", from: "strands-agents/harness-sdk#998, #1160", breaks: "tool blocks in a request without tools", cases: "tool-blocks-without-tools"},
		// Loops and budgets.
		{number: "14", from: "anomalyco/opencode#27924, #31152", breaks: "compacts for ever", cases: "instructions-alone-exceed-the-limit"},
		{number: "15", from: "openai/codex#13279, anthropics/claude-code#24179", breaks: "what is read again fills the window again", cases: "rereading-fires-round-after-round"},
		{number: "16", from: "charmbracelet/crush#3620", breaks: "one turn jumps past the buffer, nothing helps any more", cases: "one-result-jumps-past-the-buffer last-result-larger-than-all"},
		{number: "17", from: "google-gemini/gemini-cli#16516, anthropics/claude-code#26317", breaks: "the summary request is too long", cases: "summary-request-too-long"},
		{number: "18", from: "google-gemini/gemini-cli#15225", breaks: "hardly shrinks, or grows", cases: "kept-tail-holds-nearly-all"},
		{number: "19", from: "strands-agents/harness-sdk#981", breaks: "few messages, the last one huge", cases: "last-result-larger-than-all"},
		{number: "20", from: "earendil-works/pi#9476, aaif-goose/goose#8642", breaks: "old or wild counts fire at once", cases: "usage-from-before-fires-again estimate-wilder-than-the-report"},
		{number: "21", from: "openclaw/openclaw#103930", breaks: "Chinese, Japanese and Korean counted as English", cases: "three-scripts-counted-as-latin"},
		{number: "22", from: "justrach/codegraff#260, open-webui/open-webui#29761, openai/codex#41338", breaks: "base64 counted and sent as text; few tokens, many bytes", cases: "pasted-picture-counted-as-text few-tokens-many-bytes"},
		{number: "23", from: "cloudflare/agents#1538", breaks: "the trigger does not see instructions and tools", cases: "trigger-blind-to-tools"},
		// Meaning.
		{number: "24", from: "charmbracelet/crush#3867", breaks: "the follow-up becomes the first request", cases: "follow-up-becomes-the-first-request"},
		{number: "25", from: "openai/codex#25686, #11315", breaks: "a finished request is done again", cases: "finished-request-done-again"},
		{number: "26", from: "anomalyco/opencode#20156, anthropics/claude-code#13524", breaks: "replies switch to English", cases: "summary-switches-to-english"},
		{number: "27", from: "charmbracelet/crush#2551", breaks: "the summary is carried out as an order", cases: "summary-reads-like-an-order"},
		{number: "28", from: "earendil-works/pi#2608", breaks: "what the first compaction kept is lost in the second; summaries nest", cases: "kept-then-lost-in-the-second-compaction summaries-nest-and-grow"},
		{number: "29", from: "langchain-ai/langchain#39261, #38867", breaks: "a failure replaces the history", cases: "failure-replaces-the-history"},
		// Cost.
		{number: "30", from: "anomalyco/opencode#32515, zed-industries/zed#59528", breaks: "pruning and summarising break the prompt cache", cases: "clearing-breaks-the-cache-every-turn rules-missing-in-the-summary-request summariser-calls-a-tool"},
		// Beside the list.
		{number: "+1", from: "Martian-Engineering/lossless-claw#71", breaks: "a stranger's text becomes the user's word", cases: "injected-order-in-the-summary"},
		{number: "+2", from: "anomalyco/opencode#16960", breaks: "the summary call does not see the rules", cases: "rules-missing-in-the-summary-request"},
		{number: "+3", from: "microsoft/agent-framework#7393", breaks: "a cleared result holds its text again", cases: "cleared-result-keeps-its-text"},
		{number: "+4", from: "code-yeongyu/senpi#1067", breaks: "the summariser calls a tool", cases: "summariser-calls-a-tool"},
		{number: "+5", from: "XiaomiMiMo/MiMo-Code#1840", breaks: "a smaller model needs several passes", cases: "smaller-model-needs-several-passes"},
		{number: "+6", from: "partment/opencode-openai-compact#8", breaks: "old instructions pile up as user messages", cases: "old-prompts-stay-as-user-messages"},
		{number: "+7", from: "langchain-ai/langmem#77", breaks: "the newest user message is summarised", cases: "newest-user-message-summarised"},
		{number: "+8", from: "openai/codex#5772", breaks: "the rules of the project are gone", cases: "project-rules-gone-after-compaction"},
		{number: "+9", from: "microsoft/agent-framework#8099", breaks: "the marks of what is left out are stored, the summary is not", none: "two writes of a host, of which one fails: here one result holds both, and nothing is stored"},
		// Shapes of sessions that were found broken.
		{number: "+10", from: "anthropics/claude-code#24670", breaks: "a history begins with a result", cases: "history-begins-with-a-result"},
		{number: "+11", from: "anthropics/claude-code#2796", breaks: "one of two parallel calls has no result", cases: "parallel-call-left-unanswered"},
		{number: "+12", from: "anthropics/claude-code#8484", breaks: "a result comes behind the boundary of its call", cases: "result-behind-the-boundary"},
		{number: "+13", from: "openai/codex#24425", breaks: "broken lines in a log", cases: "broken-lines-in-a-log"},
		{number: "+14", from: "anthropics/claude-code#72995", breaks: "half characters and controls", cases: "half-characters-and-controls"},
		{number: "+15", from: "anomalyco/opencode#5750", breaks: "a tool still runs", cases: "call-still-running"},
		{number: "+16", from: "invariants of a resumed session", breaks: "lines stand twice", cases: "lines-twice-after-a-resume"},
		{number: "+17", from: "invariants of tool inputs", breaks: "an input is cut inside its JSON", cases: "input-cleared-to-half-an-object"},
	}
}
