package format

import "github.com/tamp-dev/tamp/core/transcript"

// What providers refuse, one table for each API: the code that Validate checks,
// a sentence for people, and where it is known from. The Rules of a format and
// its list in GET /v1/formats are both made of it, so neither can say more than
// the other. Errors are quoted in part.

// provider is the table of one API.
type provider struct {
	name  string
	roles []transcript.Role // known_roles; none: any
	first transcript.Role   // first_role
	apart bool              // under alternation, results are of no role that a text could have
	pairs bool              // the provider's own tools are looked at, too
	last  bool              // under not_empty, a last assistant message may be
	again bool              // under unique_ids, an id may come again in a later answer
	rules []transcript.Rule
}

// refusals is the table as Validate reads it.
func (p provider) refusals() transcript.Rules {
	r := transcript.Rules{Provider: p.name, Roles: p.roles, FirstRole: p.first, ResultsApart: p.apart, ServerPairs: p.pairs, LastEmpty: p.last, AnswerIDs: p.again, Listed: p.rules}
	for i := range p.rules {
		r.Refuse(p.rules[i].Code)
	}
	return r
}

// onlyRoles is the rules of a format that has but some roles.
func onlyRoles(r transcript.Rules, text, source string, roles ...transcript.Role) transcript.Rules {
	r.Roles = roles
	r.Listed = append([]transcript.Rule{{Code: "known_roles", Text: text, Source: source}}, r.Listed...)
	return r
}

// chatRefusals are those of OpenAI's Chat Completions. Roles may come in any
// order, calls need no tools in the request, and an id that stands in one turn
// may be used again in another.
func chatRefusals() transcript.Rules {
	return provider{
		name:  "openai",
		roles: []transcript.Role{transcript.System, transcript.Developer, transcript.User, transcript.Assistant, transcript.Tool},
		rules: []transcript.Rule{
			{Code: "known_roles", Text: "Roles are system, developer, user, assistant, tool and, for old function calls, function.", Source: "platform.openai.com/docs/api-reference/chat/create"},
			{Code: "results_follow", Text: "All tool messages that answer an assistant message stand directly behind it, in any order.", Source: "error 400: must be followed by tool messages responding to each 'tool_call_id'"},
			{Code: "calls_answered", Text: "Each tool call of an assistant message has a tool message with its id.", Source: "error 400: The following tool_call_ids did not have response messages"},
			{Code: "results_called", Text: "A tool message answers a call of the assistant message before it, and each call has but one.", Source: "error 400: messages with role 'tool' must be a response to a preceding message with 'tool_calls'; error 400: Duplicate value for 'tool_call_id'"},
			{Code: "ids_present", Text: "A tool call has an id, and a tool message the tool_call_id of its call.", Source: "platform.openai.com/docs/api-reference/chat/create"},
			{Code: "not_null", Text: "Messages have content, an empty text at least; only an assistant message may do without, where it has calls, a refusal or audio.", Source: "error 400: Invalid value for 'content': expected a string, got null"},
		},
	}.refusals()
}

// responsesRefusals are those of OpenAI's Responses, and of the Codex CLI, whose
// sessions are sent there.
func responsesRefusals() transcript.Rules {
	return provider{
		name:  "openai",
		roles: []transcript.Role{transcript.System, transcript.Developer, transcript.User, transcript.Assistant, transcript.Tool},
		rules: []transcript.Rule{
			{Code: "known_roles", Text: "Roles of messages are system, developer, user and assistant; outputs are items without a role.", Source: "error 400: Supported values are: 'assistant', 'system', 'developer', and 'user'"},
			{Code: "calls_answered", Text: "Each function call has an output with its call_id, anywhere behind it.", Source: "error 400: No tool output found for function call"},
			{Code: "results_called", Text: "Each output has a call with its call_id before it.", Source: "error 400: No tool call found for function call output with call_id"},
			{Code: "reasoning_with_item", Text: "A reasoning item with an id stands directly before the item that it led to, and that item does not stand without it.", Source: "error 400: of type 'reasoning' was provided without its required following item"},
			{Code: "ids_present", Text: "An output names the call that it answers.", Source: "error 400: Missing required parameter: 'input[0].call_id'"},
			{Code: "unique_ids", Text: "Two calls do not share a call_id.", Source: "error 400: Duplicate function_call_output for call_id. Each function_call must have exactly one matching function_call_output; error 400: Duplicate 'call_id'"},
			{Code: "unique_item_ids", Text: "Two items do not share an id.", Source: "error 400: Duplicate item found with id"},
		},
	}.refusals()
}

// anthropicRefusals are those of Anthropic's Messages. Messages of one role in a
// row are joined, and calls need no tools in the request (since February 2025).
func anthropicRefusals() transcript.Rules {
	return provider{
		name:  "anthropic",
		roles: []transcript.Role{transcript.User, transcript.Assistant, transcript.System},
		first: transcript.User,
		pairs: true,
		last:  true,
		rules: []transcript.Rule{
			{Code: "known_roles", Text: "Roles are user and assistant; system stands in the middle only under a beta.", Source: "docs.claude.com/en/api/messages"},
			{Code: "first_role", Text: "The first message is a user message, but for one that begins with a compaction block.", Source: "error 400: first message must use the \"user\" role"},
			{Code: "calls_answered", Text: "Each tool_use block has a tool_result block in the next user turn, and the call of a server tool its own result.", Source: "error 400: `tool_use` ids were found without `tool_result` blocks immediately after"},
			{Code: "results_called", Text: "Each tool_result block answers a tool_use block of the turn before, each of those has but one, and the result of a server tool has its call before it.", Source: "error 400: unexpected `tool_use_id` found in `tool_result` blocks; error 400: each tool_use must have a single result; error 400: Each `advisor_tool_result` block must have a corresponding `server_tool_use` block before it"},
			{Code: "results_in_user", Text: "tool_result blocks stand in the user turn behind their calls, before any text of it; those of server tools in the assistant turn of theirs.", Source: "platform.claude.com/docs/en/agents-and-tools/tool-use/handle-tool-calls"},
			{Code: "not_empty", Text: "Messages have content, but for a last assistant message.", Source: "error 400: all messages must have non-empty content"},
			{Code: "text_not_blank", Text: "A text block holds more than white space.", Source: "error 400: text content blocks must contain non-whitespace text"},
			{Code: "thinking_first", Text: "An assistant message that holds thinking begins with it; where the request turns thinking on, so does the one that the last tool results answer.", Source: "error 400: If an assistant message contains any thinking blocks, the first block must be thinking; platform.claude.com/docs/en/build-with-claude/extended-thinking"},
			{Code: "thinking_signed", Text: "A thinking block has its signature.", Source: "error 400: thinking.signature: Field required"},
			{Code: "thinking_not_last", Text: "The last message does not end with thinking.", Source: "error 400: The final block in an assistant message cannot be `thinking`"},
			{Code: "ids_present", Text: "A tool_use block has an id, and a tool_result block the tool_use_id of its call.", Source: "docs.claude.com/en/api/messages"},
			{Code: "unique_ids", Text: "Two tool_use blocks do not share an id.", Source: "error 400: `tool_use` ids must be unique"},
		},
	}.refusals()
}

// bedrockRefusals are those of Amazon Bedrock's Converse.
func bedrockRefusals() transcript.Rules {
	return provider{
		name:  "bedrock",
		roles: []transcript.Role{transcript.User, transcript.Assistant},
		first: transcript.User,
		rules: []transcript.Rule{
			{Code: "known_roles", Text: "Roles are user and assistant.", Source: "docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Message.html"},
			{Code: "first_role", Text: "The first message is a user message.", Source: "ValidationException: A conversation must start with a user message"},
			{Code: "alternation", Text: "User and assistant messages alternate, those with tool results included.", Source: "ValidationException: A conversation must alternate between user and assistant roles"},
			{Code: "calls_answered", Text: "Each toolUse block has a toolResult block in the next message.", Source: "ValidationException: Expected toolResult blocks at messages.2.content for the following Ids"},
			{Code: "results_called", Text: "Each toolResult block answers a toolUse block of the message before, and each of those has but one.", Source: "ValidationException: The number of toolResult blocks at messages.2.content exceeds the number of toolUse blocks of previous turn"},
			{Code: "results_in_user", Text: "toolResult blocks stand in the user message behind their calls, before any text of it.", Source: "docs.aws.amazon.com/bedrock/latest/userguide/tool-use-inference-call.html"},
			{Code: "tools_declared", Text: "A request with toolUse or toolResult blocks has a toolConfig.", Source: "ValidationException: The toolConfig field must be defined when using toolUse and toolResult content blocks"},
			{Code: "not_empty", Text: "Messages have content.", Source: "ValidationException: The content field in the Message object at messages.0 is empty"},
			{Code: "text_not_blank", Text: "A text block holds more than white space.", Source: "ValidationException: The text field in the ContentBlock object at messages.0.content.0 is blank"},
			{Code: "ids_present", Text: "A toolUse block has a toolUseId, and a toolResult block that of its call.", Source: "docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolUseBlock.html"},
			{Code: "unique_ids", Text: "Two toolUse blocks do not share an id.", Source: "ValidationException: The toolUse blocks at messages.1.content contain duplicate Ids"},
		},
	}.refusals()
}

// geminiRefusals are those of the Gemini API. Calls may have no ids there: name
// and order pair them. Newer models take two turns of text in a row and a model's
// text first; none takes a function call there.
func geminiRefusals() transcript.Rules {
	return provider{
		name:  "google",
		roles: []transcript.Role{transcript.User, transcript.Assistant},
		first: transcript.User,
		apart: true,
		again: true,
		rules: []transcript.Rule{
			{Code: "known_roles", Text: "Roles are user and model, and in older requests function.", Source: "error 400: Please use a valid role: user, model"},
			{Code: "first_role", Text: "The first turn is the user's.", Source: "error 400: Please ensure that function call turn comes immediately after a user turn or after a function response turn"},
			{Code: "alternation", Text: "User and model turns alternate; a turn of function responses counts as neither.", Source: "error 400: Please ensure that multiturn requests alternate between user and model; error 400: Please ensure that function call turn comes immediately after a user turn"},
			{Code: "calls_answered", Text: "A turn of function calls has as many function responses behind it.", Source: "error 400: Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn"},
			{Code: "results_called", Text: "Each function response answers a call of its name in the turn before.", Source: "error 400: Please ensure that function response turn comes immediately after a function call turn"},
			{Code: "results_in_user", Text: "Function responses stand in the turn directly behind their calls, before any text of it.", Source: "error 400: Please ensure that function response turn comes immediately after a function call turn"},
			{Code: "signatures", Text: "In the current turn the first function call of each step keeps its thoughtSignature.", Source: "error 400: Function call is missing a thought_signature in functionCall parts; ai.google.dev/gemini-api/docs/thought-signatures"},
			{Code: "not_empty", Text: "Contents have parts.", Source: "error 400: contents.parts must not be empty"},
			{Code: "unique_ids", Text: "Two function calls of one turn do not share an id, where they have one: a response names its call by that.", Source: "ai.google.dev/gemini-api/docs/function-calling; error 400: functionResponse.id does not match functionCall.id"},
		},
	}.refusals()
}

// harnessRefusals are for formats that are no provider's: whatever is sent from
// them, a result has its call.
func harnessRefusals() transcript.Rules {
	return provider{
		name: "any",
		rules: []transcript.Rule{
			{Code: "results_called", Text: "A tool result has a call before it.", Source: "the APIs of all providers, which are sent what the harness makes of its log"},
		},
	}.refusals()
}
