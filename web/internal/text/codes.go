package text

// codes is what the page says about the engine's codes, in words of its own: the
// engine's messages are English, with the value and the place.
var codes = map[string]Entry{
	"code.invalid_request":       {"The request is not valid", "リクエストが正しくありません"},
	"code.invalid_json":          {"The text is not valid JSON", "JSON として読めません"},
	"code.invalid_policy":        {"The policy is not valid", "ポリシーが正しくありません"},
	"code.unknown_format":        {"The format is not known", "形式を判定できません"},
	"code.unsupported_format":    {"The format is not supported", "この形式には対応していません"},
	"code.ambiguous_format":      {"The format is not clear", "形式を一つに絞れません"},
	"code.several_conversations": {"The file holds several conversations", "ファイルに複数の会話があります"},
	"code.not_a_history":         {"This is no history of a conversation", "会話の履歴ではありません"},
	"code.empty_summary":         {"The summary is empty", "要約が空です"},
	"code.invalid_state":         {"The state is not valid", "状態が正しくありません"},
	"code.too_large":             {"The transcript is too large", "会話履歴が大きすぎます"},
	"code.summary_failed":        {"The summary failed", "要約に失敗しました"},
	"code.not_configured":        {"No model is configured here", "モデルが設定されていません"},
	"code.internal":              {"The engine failed", "エンジンの内部エラーです"},
	"code.unreadable_answer":     {"The engine's answer cannot be read", "エンジンの応答を読めません"},

	"defect.known_roles":         {"Unknown role", "未知のロールです"},
	"defect.first_role":          {"Wrong first role", "最初のロールが正しくありません"},
	"defect.calls_answered":      {"Call without a result", "結果のない呼び出しです"},
	"defect.results_called":      {"Result without a call", "呼び出しのない結果です"},
	"defect.results_follow":      {"Between a call and its result", "呼び出しとその結果の間に割り込んでいます"},
	"defect.results_in_user":     {"Result in the wrong place", "結果の位置が正しくありません"},
	"defect.not_empty":           {"Message without content", "内容のないメッセージです"},
	"defect.unique_ids":          {"Repeated call id", "呼び出し ID が重複しています"},
	"defect.ids_present":         {"Id missing", "ID がありません"},
	"defect.reasoning_with_item": {"Reasoning without its item", "後続の項目がない推論です"},
}
