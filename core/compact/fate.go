// Package compact decides what becomes of every item of a transcript, and puts
// the compacted transcript together: Plan, then the answers of a summariser,
// then Apply.
package compact

// Fate is what becomes of an item.
type Fate string

// The fates.
const (
	Kept      Fate = "kept"      // same bytes, same order
	Moved     Fate = "moved"     // same bytes, other place
	Truncated Fate = "truncated" // part of it stands
	Cleared   Fate = "cleared"   // it stands, with a placeholder for what a tool gave or took, or for media, or without its thinking
	Folded    Fate = "folded"    // gone, the summary stands for it
	Dropped   Fate = "dropped"   // gone, and no summariser saw it
)

// Reason is why an item has its fate.
type Reason string

// The reasons, with their sentences in Reasons.
const (
	NotCompacted   Reason = "not_compacted"
	Instructions   Reason = "instructions"
	InitialContext Reason = "initial_context"
	FirstUser      Reason = "first_user"
	Recent         Reason = "recent"
	UserBudget     Reason = "user_budget"
	AgentBudget    Reason = "agent_budget"
	Attached       Reason = "attached"
	Pinned         Reason = "pinned"
	OpenCall       Reason = "open_call"
	GroupKept      Reason = "group_kept"
	NotFolded      Reason = "not_folded"

	UserBudgetCut Reason = "user_budget_cut"
	TextKept      Reason = "text_kept"
	// MessageCut is for what was cut and is not only a person's text.
	MessageCut Reason = "message_cut"
	// SummaryRemoved: the message stays without the earlier summary in it.
	SummaryRemoved Reason = "summary_removed"
	// Joined: all of it stands, in one message with others.
	Joined Reason = "joined"

	ResultCleared    Reason = "result_cleared"
	InputCleared     Reason = "input_cleared"
	MediaCleared     Reason = "media_cleared"
	ReasoningDropped Reason = "reasoning_dropped"

	Summarised        Reason = "summarised"
	EarlierSummary    Reason = "earlier_summary"
	SupersededContext Reason = "superseded_context"
	OverUserBudget    Reason = "over_user_budget"
	RequestShrunk     Reason = "request_shrunk"
	RequestTrimmed    Reason = "request_trimmed"
	NotShown          Reason = "not_shown"
)

// ReasonInfo is a reason with its sentences.
type ReasonInfo struct {
	Code Reason `json:"code"`
	En   string `json:"en"`
	Ja   string `json:"ja"`
}

// Reasons is the one list of reasons, in the order of the constants.
func Reasons() []ReasonInfo {
	return []ReasonInfo{
		{NotCompacted, "Nothing was compacted, so it stands as it came.", "圧縮していないため、そのまま残ります。"},
		{Instructions, "Instructions at the start of the conversation always stay.", "会話の先頭にある指示は常に残ります。"},
		{InitialContext, "It is the newest of its kind of initial context (project notes, environment), which every compaction carries along.", "初期コンテキスト（プロジェクトの注意書きや環境情報）のうち同種で最新のものなので、引き継ぎます。"},
		{FirstUser, "It is the first message that a person wrote, and the policy keeps it.", "人が書いた最初のメッセージで、ポリシーが残すよう定めています。"},
		{Recent, "It is among the newest items, which the policy keeps.", "ポリシーが残す直近の項目に含まれます。"},
		{UserBudget, "A person wrote it, and it fits the token budget for the newest user messages.", "人が書いたメッセージで、直近のユーザーメッセージ用のトークン枠に収まります。"},
		{AgentBudget, "Another agent or a hook asked for it, and it fits the token budget for the newest messages.", "別のエージェントまたはフックからの指示で、直近のメッセージ用のトークン枠に収まります。"},
		{Attached, "It belongs to the message above it, which stays.", "直前のメッセージに付随し、そのメッセージが残ります。"},
		{Pinned, "The policy pins it.", "ポリシーで固定（ピン留め）されています。"},
		{OpenCall, "Its tool call is still waiting for a result.", "ツール呼び出しがまだ結果を待っています。"},
		{GroupKept, "A provider accepts it only together with an item that stays.", "残る項目と一緒でなければプロバイダーが受け付けません。"},
		{NotFolded, "Nothing was folded: old tool results were cleared, and that was all to do.", "古いツール結果などの消去だけで済んだため、畳み込みはしていません。"},
		{UserBudgetCut, "A person wrote it, but it does not fit what is left of the token budget: its middle was cut out.", "人が書いたメッセージですが、残りのトークン枠に収まらないため、中央を切り取りました。"},
		{MessageCut, "It does not fit what is left of the token budget: a part of it, the middle of a text or media, was taken out.", "残りのトークン枠に収まらないため、一部（文の中央やメディア）を外しました。"},
		{TextKept, "A person wrote it: its text stays, its media and tool results do not.", "人が書いたメッセージなので本文は残し、メディアとツール結果は外しました。"},
		{SummaryRemoved, "It stays, but for the earlier summary that it held: the new one takes its place.", "項目は残し、その中にあった以前の要約だけを新しい要約に置き換えます。"},
		{Joined, "All of it stands, joined to one message with what is beside it: the provider refuses two messages of one role in a row.", "プロバイダーが同じロールの連続を受け付けないため、隣のメッセージと一つにまとめました。内容はすべて残ります。"},
		{ResultCleared, "An old tool result: a placeholder says what was there.", "古いツール結果です。内容の代わりに短い目印を残します。"},
		{InputCleared, "An old tool call: a placeholder stands for its input.", "古いツール呼び出しです。入力の代わりに短い目印を残します。"},
		{MediaCleared, "Media of an earlier turn: a placeholder says what was there.", "以前のターンのメディアです。代わりに短い目印を残します。"},
		{ReasoningDropped, "It stays without what the model thought in that earlier turn.", "項目は残し、以前のターンでのモデルの思考だけを外しました。"},
		{Summarised, "The summary stands for it.", "要約がこの項目の代わりになります。"},
		{EarlierSummary, "It is an earlier summary: the new one takes its place.", "以前の要約です。新しい要約に置き換わります。"},
		{SupersededContext, "A newer copy of the same initial context stays.", "同じ初期コンテキストの新しい版が残ります。"},
		{OverUserBudget, "A person wrote it, but newer messages used up the token budget: the summary stands for it.", "人が書いたメッセージですが、より新しいメッセージでトークン枠を使い切ったため、要約が代わりになります。"},
		{RequestShrunk, "It was left out of the summary request because that was too long for the summariser: no summary covers it.", "要約リクエストが長すぎたため除かれました。どの要約にも含まれていません。"},
		{RequestTrimmed, "Only its name was in the compaction request, which was too long for the model: no summary covers what it says.", "圧縮リクエストがモデルには長すぎたため、名前だけを残して内容を除きました。内容はどの要約にも含まれていません。"},
		{NotShown, "The provider takes no such item in a request (an unknown role, a result without its call), so no summariser saw it.", "プロバイダーがこの項目をリクエストに受け付けない（未知のロール、呼び出しのない結果）ため、要約に使われていません。"},
	}
}

// ItemFate is what becomes of one item of the effective history.
type ItemFate struct {
	Index        int    `json:"index"`
	To           *int   `json:"to"` // its place in the output, null if it is gone
	Fate         Fate   `json:"fate"`
	Reason       Reason `json:"reason"`
	Group        int    `json:"group"`
	Role         string `json:"role"`
	TokensBefore int    `json:"tokens_before"`
	TokensAfter  int    `json:"tokens_after"`
}
