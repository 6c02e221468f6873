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
		{"German for English is not seen", english, strings.Repeat("Die Prüfung schlägt fehl. ", 5), true},
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
