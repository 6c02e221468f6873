package summary

import (
	"fmt"
	"math/rand"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tamp-dev/tamp/core/tokens"
	"github.com/tamp-dev/tamp/core/transcript"
)

// session is a transcript made at random, with the truth about it: what the
// calls named, and how each command ended last.
type session struct {
	talk
	rnd    *rand.Rand
	paths  []string
	lately map[string]string // by command: exit code, or "unknown"
}

func newSession(seed int64) *session {
	s := &session{rnd: rand.New(rand.NewSource(seed)), lately: map[string]string{}}
	s.Family = transcript.Family(s.rnd.Intn(3))
	for range 3 + s.rnd.Intn(60) {
		s.step()
	}
	return s
}

func (s *session) pick(from ...string) string { return from[s.rnd.Intn(len(from))] }

func (s *session) path() string {
	p := s.pick("src/", "", "./", "/w/", "lib/deep/er/", "日本/") + s.pick("a", "b", "parse", "x y", "z, w") + strconv.Itoa(s.rnd.Intn(9)) + s.pick(".go", ".py", "", ".md")
	return p
}

func (s *session) prose() string {
	var b strings.Builder
	for range 1 + s.rnd.Intn(8) {
		b.WriteString(s.pick("You must keep the API.", "Never push to main!", "Fixed the crash in parse_input().", "The next step is v2.14.0.",
			"必ずテストを通してください。", "ファイルは消さないで。", "## Goal", "- user:", "    indented", firstEnglish, "e.g. this one", "It’s done.",
			"```", "a\u2028b", "\x1b[1mbold\x1b[0m", "x\x00y", "\xff\xfe", strings.Repeat("long ", 200), "https://example.com/a?b=c#d", "%d %s"))
		b.WriteString(s.pick(" ", "\n", "\n\n", "\r\n", "\t", "", "\r"))
	}
	return b.String()
}

func (s *session) step() {
	switch s.rnd.Intn(8) {
	case 0:
		s.user(s.prose())
	case 1:
		s.say(s.prose())
	case 2, 3:
		s.shell()
	case 4:
		p := s.path()
		s.paths = append(s.paths, p)
		key := s.pick("path", "file_path", "filename")
		name := s.pick("write_file", "Write", "Edit", "create_file", "delete_file", "append_to_file")
		if s.rnd.Intn(4) == 0 {
			s.failing(name, args{key: p}, s.prose())
		} else {
			s.call(name, args{key: p, "content": s.prose()}, s.prose())
		}
	case 5:
		p, q := s.path(), s.path()
		s.paths = append(s.paths, p, q)
		patch := "*** Begin Patch\n*** Update File: " + p + "\n@@\n-x\n+" + strings.ReplaceAll(s.prose(), "\n", "\n+") +
			"\n*** " + s.pick("Add", "Delete") + " File: " + q + "\n*** End Patch"
		s.call("apply_patch", s.pick(patch, `{"input": `+strconv.Quote("x")+`}`), "Done!")
		if last := s.Items[len(s.Items)-2].Parts[0].Text; !strings.HasPrefix(last, "***") {
			s.paths = s.paths[:len(s.paths)-2] // the other choice: no patch at all
		}
	case 6:
		s.call(s.pick("get_user", "update_plan", "web_search", "send_mail"), args{"plan": []args{{"step": s.prose(), "status": s.pick("completed", "pending")}}, "id": s.rnd.Intn(999)}, s.prose())
	case 7:
		s.item(transcript.Role(s.pick("user", "assistant", "system", "developer", "tool", "exit")), transcript.Part{Kind: transcript.PartKind(s.rnd.Intn(10)), Text: s.prose(), ID: s.pick("", "q")})
	}
}

// shell runs one of a few commands, so that most of them run again, with the
// exit code written in one of the ways in which harnesses write it.
func (s *session) shell() {
	cmd := s.pick("go test ./...", "make", "python run.py --seed 7", "ls -la src", "grep -rn Parse src/", "npm test\nnpm run lint")
	if s.rnd.Intn(3) == 0 {
		p := s.pick("gen/", "") + "f" + strconv.Itoa(s.rnd.Intn(5)) + ".txt"
		cmd = s.pick("cat > "+p+" << 'EOF'\nrm not/this.txt\nEOF", "sed -i 's/a/b/' "+p, "rm "+p, "cd /w && rm "+p)
		s.paths = append(s.paths, p)
	}
	code := s.rnd.Intn(3)
	n, out := strconv.Itoa(code), s.pick("ok", "Error: boom\nat line 3", strings.Repeat("many lines\n", 200), "")
	truth := n
	var result string
	switch s.rnd.Intn(6) {
	case 0:
		result = "<returncode>" + n + "</returncode>\n<output>\n" + out + "\n</output>"
	case 1:
		result = "Exit code: " + n + "\nWall time: 0.1 seconds\nOutput:\n" + out
	case 2:
		result = "Wall time: 0.1 s\nProcess exited with code " + n + "\nOutput:\n" + out
	case 3:
		result = `{"output": ` + strconv.Quote(out) + `, "metadata": {"exit_code": ` + n + `}}`
	case 4:
		result = out + "\n[The command completed with exit code " + n + ".]"
	case 5:
		result, truth = out, "unknown"
	}
	s.lately[cmd] = truth
	if s.rnd.Intn(2) == 0 {
		s.call("shell", args{"command": []string{"bash", "-lc", cmd}}, result)
	} else {
		s.call("bash", args{"command": cmd}, result)
	}
}

// truth is how the commands of which the digest shows this ended last; more
// than one where a cut command could be several.
func (s *session) truth(shown string) map[string]bool {
	prefix, short := strings.CutSuffix(shown, cutMark)
	out := map[string]bool{}
	for cmd, code := range s.lately {
		if cmd == shown || short && strings.HasPrefix(cmd, prefix) && cmd != prefix {
			out[code] = true
		}
	}
	return out
}

func TestDigestHolds(t *testing.T) {
	counters := []tokens.Counter{quarter{}, tokens.Estimate(), tokens.Bytes4()}
	for seed := range int64(150) {
		s := newSession(seed)
		c := counters[int(seed)%len(counters)]
		folded := s.all()
		text := ""
		for _, budget := range []int{5, 25, 40, 60, 90, 150, 300, 1000, 5000} {
			before := text
			text = Digest(&s.Transcript, folded, DigestOptions{Counter: c, Budget: budget})
			if again := Digest(&s.Transcript, folded, DigestOptions{Counter: c, Budget: budget}); again != text {
				t.Fatalf("seed %d, budget %d: two runs, two digests", seed, budget)
			}
			s.check(t, fmt.Sprintf("seed %d, budget %d", seed, budget), text, nil, c, budget)
			if before != "" && text == "" {
				t.Errorf("seed %d: a budget of %d says nothing, less said something", seed, budget)
			}
		}
		// The first half, then the second with the digest of the first.
		cut := len(folded) / 2
		if s.Items[cut-1].Has(transcript.Call) {
			cut++ // a cut never falls inside a group
		}
		half := Digest(&s.Transcript, folded[:cut], DigestOptions{Counter: c, Budget: 400})
		if half == "" {
			continue
		}
		whole := Digest(&s.Transcript, folded[cut:], DigestOptions{Counter: c, Budget: 400, Earlier: []string{half}})
		s.check(t, fmt.Sprintf("seed %d, merged", seed), whole, []string{half}, c, 400)
		if t.Failed() {
			return
		}
	}
}

func (s *session) check(t *testing.T, name, text string, earlier []string, c tokens.Counter, budget int) {
	t.Helper()
	if text == "" {
		return
	}
	if !utf8.ValidString(text) {
		t.Errorf("%s: not UTF-8", name)
	}
	for _, b := range CheckDigest(&s.Transcript, s.all(), earlier, text, c, budget, s.paths) {
		t.Errorf("%s: %s", name, b)
	}
	d := parseDigest(text)
	for _, b := range d.blocks {
		if b.label != labOutcome && b.label != labCalled {
			continue
		}
		for i, q := range b.quotes {
			truth := s.truth(q)
			if b.sec == secErrors && i > 0 || len(truth) == 0 {
				continue
			}
			want := "unknown"
			if b.out.kind == ended {
				want = strconv.Itoa(b.out.code)
			}
			flagged := s.Family == transcript.Messages && truth["unknown"] && b.out.kind == fine
			if !truth[want] && !flagged {
				t.Errorf("%s: %q ended with %v, said is %q", name, q, truth, d.words.outcome(b.out))
			}
		}
	}
	if t.Failed() {
		t.Logf("%s:\n%s", name, text)
	}
}

// FuzzDigest: any texts in any places, never a panic, and the promises hold.
func FuzzDigest(f *testing.F) {
	for seed := range int64(6) {
		s := newSession(seed)
		f.Add(s.prose(), "bash", `{"command": "cat > a.txt <<'E'\nx\nE\n"}`, "Exit code: 1\nOutput:\n"+s.prose(), firstEnglish+"\n## Goal\n- user:\n    hi", int(seed)*60)
	}
	f.Add("直して", "apply_patch", "*** Begin Patch\n*** Move to: x", "\xff", "", 80)
	f.Add("## Files\n- changed: a", "str_replace_editor", `{"command": "view", "path": ["a", {"file": "b"}]}`, "{\"exit_code\": \"7\"}", firstJapanese+"\n## ファイル\n- 変更: ほか 3 件\n- 削除: a（移動先 b）", 400)
	f.Fuzz(func(t *testing.T, text, tool, input, result, earlier string, budget int) {
		k := &talk{}
		k.user(text)
		k.say(result)
		k.call(tool, input, result)
		k.call("bash", args{"command": text}, result)
		k.failing(text, args{"path": input, "command": tool}, text)
		k.say(text + "\n" + input)
		k.item(transcript.Role(tool), transcript.Part{Kind: transcript.PartKind(len(text) % 12), Text: input, ID: result})
		k.call("update_plan", args{"plan": []args{{"step": text, "status": tool}}}, result)
		budget &= 0xfff
		got := Digest(&k.Transcript, k.all(), DigestOptions{Counter: quarter{}, Budget: budget, Earlier: []string{earlier, text}})
		for _, b := range CheckDigest(&k.Transcript, k.all(), []string{earlier, text}, got, quarter{}, budget, []string{}) {
			if !strings.Contains(b, "is said to have ended") { // the fuzzer finds texts that only look like codes
				t.Error(b)
			}
		}
		if got == "" {
			return
		}
		again := Digest(&k.Transcript, nil, DigestOptions{Counter: quarter{}, Budget: 1 << 20, Earlier: []string{got}})
		if d := parseDigest(again); d.words == nil || len(d.loose) > 0 {
			t.Errorf("not read back:\n%s\nfrom\n%s", again, got)
		}
	})
}

// BenchmarkDigest: 1.2 MB of a tool loop.
func BenchmarkDigest(b *testing.B) {
	s := &session{rnd: rand.New(rand.NewSource(1)), lately: map[string]string{}}
	size := 0
	for size < 1_200_000 {
		s.step()
		p := &s.Items[len(s.Items)-1].Parts[0]
		for range 30 {
			p.Text += fmt.Sprintf("src/mod%d/file_%d.go:%d: func handle%d(ctx) error { return nil }\n", s.rnd.Intn(90), s.rnd.Intn(999), s.rnd.Intn(5000), s.rnd.Intn(700))
		}
		for _, it := range s.Items[max(0, len(s.Items)-2):] {
			size += len(it.Parts[0].Text)
		}
	}
	folded := s.all()
	b.SetBytes(int64(size))
	for b.Loop() {
		Digest(&s.Transcript, folded, DigestOptions{Counter: tokens.Estimate(), Budget: 2000})
	}
}
