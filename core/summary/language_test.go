package summary

import (
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/transcript"
)

func TestAnswerLanguage(t *testing.T) {
	const (
		english  = "The tests of package parse fail since the last change; the cause is known and the fix is under way."
		japanese = "パッケージ parse のテストが前回の変更以降失敗しています。原因は分かっており、修正を進めているところです。次は main.go の確認です。"
		chinese  = "自上次更改以来，软件包的测试一直失败。原因已经查明，目前正在修复，下一步是检查主程序文件，然后重新运行全部测试用例，并把结果写入报告。"
		korean   = "마지막 변경 이후 패키지 테스트가 실패하고 있습니다. 원인은 알려져 있으며 수정 중입니다. 다음 단계는 주 파일을 확인하는 것입니다."
		russian  = "Тесты пакета не проходят после последнего изменения; причина известна, исправление в работе."
		code     = "実行: go test ./... internal/parse/lexer.go internal/parse/parser.go FAIL TestLexerNumbers expected 12 got 0x0C を直す。関数 scanNumber の基数を見る。"
	)
	for _, c := range []struct {
		name, user, answer string
		want               bool
	}{
		{"the same", japanese, japanese, true},
		{"English for Japanese", japanese, english, false},
		{"Japanese full of code", japanese, code, true},
		{"English for Chinese", chinese, english, false},
		{"Chinese for English", english, chinese, false},
		{"English for Korean", korean, english, false},
		{"English for Russian", russian, english, false},
		{"one function word of German and Dutch is in doubt", english, strings.Repeat("Die Prüfung schlägt fehl. ", 5), true},
		{"Chinese for Japanese", japanese, chinese, false},
		{"Japanese for Chinese", chinese, japanese, false},
		{"Korean for Japanese", japanese, korean, false},
		{"Japanese of terms only is in doubt", japanese, "原因調査完了。字句解析部修正済。単体試験全件実施、成功。残作業、結合試験、性能測定、報告書作成、関係者確認、本番環境反映。", true},
		{"Chinese that quotes a Japanese word is Chinese", "请把按钮的文字改成「キャンセル」，并且检查其他页面里是否还有同样的问题。所有页面都要检查一遍，包括设置页面、登录页面和帮助页面，然后把结果告诉我，谢谢。如果发现新的问题，请先写下来，不要马上修改代码，等我确认以后再继续。", chinese, true},
		{"a short answer says nothing", japanese, "ok, done", true},
		{"a short question says nothing", "直して", english, true},
	} {
		tr := &transcript.Transcript{Items: []transcript.Item{{Role: transcript.User, Parts: []transcript.Part{{Kind: transcript.Text, Text: c.user}}}}}
		if got := LanguageOf("auto", tr).Accepts(c.answer); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	if LanguageOf("ja-JP", &transcript.Transcript{}).Accepts(english) || !LanguageOf("en", &transcript.Transcript{}).Accepts(english) || LanguageOf("de", &transcript.Transcript{}).Accepts(japanese) {
		t.Error("a tag does not say its script")
	}
}
