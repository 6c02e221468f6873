package summary

import "strings"

// shellWord is one word of a command after its quotes are removed. An opaque
// word holds an expansion ($x, $(..), `..`): its text is not what ran.
type shellWord struct {
	text   string
	opaque bool
	quoted bool
}

// shellRedir is one redirection: its operator without the descriptor's number,
// and the file (or the end mark of a heredoc).
type shellRedir struct {
	op     string
	target shellWord
}

// shellCmd is one simple command. A subshell's parentheses stand in the list
// as commands without words whose scope is +1 and -1.
type shellCmd struct {
	words  []shellWord
	redirs []shellRedir
	body   string // its heredoc
	scope  int
	op     string // what stands behind it: && || | & ; and "" for the end of its line
}

// scanShell splits a script into its simple commands. It knows what an agent's
// one-liners are made of (quotes, lists, pipes, redirections, heredocs,
// comments, subshells) and steps over what it need not understand
// (substitutions, arithmetic). A command is given when its line has ended, with
// its heredoc; what it points to holds until the next one. Cost: one pass; it
// never fails.
func scanShell(src string, yield func(*shellCmd)) {
	s := shellScanner{src: src, yield: yield}
	for s.i < len(src) {
		s.step()
	}
	s.end()
	s.flush()
}

type shellScanner struct {
	src     string
	i       int
	yield   func(*shellCmd)
	cmds    []shellCmd // of this line
	cur     shellCmd
	heredoc []shellHeredoc
	noArith bool // no "))" stands ahead: do not look for one again
}

type shellHeredoc struct {
	mark string
	tabs bool // <<-: leading tabs of the mark do not count
	cmd  int
}

func (s *shellScanner) step() {
	switch c := s.src[s.i]; c {
	case ' ', '\t', '\r':
		s.i++
	case '\n':
		s.i++
		s.end()
		s.bodies()
		s.flush()
	case ';', '|', '&':
		if c == '&' && s.at(s.i+1) == '>' {
			s.i++
			s.redirect()
			return
		}
		s.operator(c)
	case '(':
		s.open()
	case ')':
		s.i++
		s.end()
		s.cmds = append(s.cmds, shellCmd{scope: -1})
	case '<', '>':
		if len(s.cur.words) > 0 && s.cur.words[0].text == "[[" {
			s.i++ // a comparison
			return
		}
		s.redirect()
	case '#':
		if n := strings.IndexByte(s.src[s.i:], '\n'); n >= 0 {
			s.i += n
		} else {
			s.i = len(s.src)
		}
	default:
		w := s.word()
		if next := s.at(s.i); (next == '<' || next == '>') && !w.quoted && digits(w.text) {
			return // the number of a descriptor: 2>
		}
		if w.text != "" || w.opaque || w.quoted {
			s.cur.words = append(s.cur.words, w)
		}
	}
}

func (s *shellScanner) at(i int) byte {
	if i < len(s.src) {
		return s.src[i]
	}
	return 0
}

func (s *shellScanner) end() {
	if len(s.cur.words) > 0 || len(s.cur.redirs) > 0 {
		s.cmds = append(s.cmds, s.cur)
	}
	s.cur = shellCmd{}
}

// operator ends a command with ; | & and their doubles; |& pipes like |.
func (s *shellScanner) operator(c byte) {
	op := s.src[s.i : s.i+1]
	s.i++
	switch next := s.at(s.i); {
	case next == c:
		op = s.src[s.i-1 : s.i+1]
		s.i++
	case c == '|' && next == '&':
		s.i++
	}
	s.end()
	if n := len(s.cmds) - 1; n >= 0 && s.cmds[n].op == "" && s.cmds[n].scope <= 0 {
		s.cmds[n].op = op
	}
}

func (s *shellScanner) flush() {
	for i := range s.cmds {
		s.yield(&s.cmds[i])
	}
	clear(s.cmds)
	s.cmds = s.cmds[:0]
}

func (s *shellScanner) open() {
	if s.at(s.i+1) == '(' && !s.noArith {
		if n := strings.Index(s.src[s.i:], "))"); n >= 0 {
			s.i += n + 2
			return
		}
		s.noArith = true
	}
	s.i++
	s.end()
	s.cmds = append(s.cmds, shellCmd{scope: 1})
}

// redirect reads one redirection, from < or > on.
func (s *shellScanner) redirect() {
	op := s.src[s.i : s.i+1]
	for _, long := range [...]string{"<<<", "<<-", "<<", "<&", "<>", ">>", ">|", ">&"} {
		if strings.HasPrefix(s.src[s.i:], long) {
			op = long
			break
		}
	}
	s.i += len(op)
	if s.at(s.i) == '(' && len(op) == 1 { // <(..), >(..)
		s.i++
		s.substitution()
		s.cur.words = append(s.cur.words, shellWord{opaque: true})
		return
	}
	for c := s.at(s.i); c == ' ' || c == '\t'; c = s.at(s.i) {
		s.i++
	}
	target := s.word()
	if op == "<<" || op == "<<-" {
		s.heredoc = append(s.heredoc, shellHeredoc{target.text, op == "<<-", len(s.cmds)})
	}
	s.cur.redirs = append(s.cur.redirs, shellRedir{op, target})
}

// bodies reads the heredocs that the line before opened.
func (s *shellScanner) bodies() {
	for _, h := range s.heredoc {
		start, stop := s.i, len(s.src)
		for s.i < len(s.src) {
			line, from := s.src[s.i:], s.i
			if n := strings.IndexByte(line, '\n'); n >= 0 {
				line = line[:n]
				s.i += n + 1
			} else {
				s.i = len(s.src)
			}
			line = strings.TrimSuffix(line, "\r")
			if h.tabs {
				line = strings.TrimLeft(line, "\t")
			}
			if line == h.mark {
				stop = from
				break
			}
		}
		if h.cmd < len(s.cmds) {
			s.cmds[h.cmd].body = s.src[start:stop]
		}
	}
	s.heredoc = s.heredoc[:0]
}

// word reads one word, which may be empty where a metacharacter stands.
func (s *shellScanner) word() shellWord {
	var w shellWord
	var buf []byte // nil while the word is a plain slice of the source
	start := s.i
	grow := func() {
		if buf == nil {
			buf = append(make([]byte, 0, 32), s.src[start:s.i]...)
		}
	}
	for s.i < len(s.src) {
		switch c := s.src[s.i]; c {
		case ' ', '\t', '\r', '\n', ';', '&', '|', '(', ')', '<', '>':
			return w.with(buf, s.src[start:s.i])
		case '\'':
			grow()
			w.quoted = true
			s.i++
			n := strings.IndexByte(s.src[s.i:], '\'')
			if n < 0 {
				n = len(s.src) - s.i
			}
			buf = append(buf, s.src[s.i:s.i+n]...)
			s.i = min(len(s.src), s.i+n+1)
		case '"':
			grow()
			w.quoted = true
			s.i++
			buf = s.double(&w, buf)
		case '\\':
			grow()
			if next := s.at(s.i + 1); next != '\n' && s.i+1 < len(s.src) {
				buf = append(buf, next)
			}
			s.i = min(len(s.src), s.i+2)
		case '$', '`':
			grow()
			buf = s.expansion(&w, buf)
		default:
			if buf != nil {
				buf = append(buf, c)
			}
			s.i++
		}
	}
	return w.with(buf, s.src[start:s.i])
}

func (w shellWord) with(buf []byte, plain string) shellWord {
	w.text = plain
	if buf != nil {
		w.text = string(buf)
	}
	return w
}

// double reads a double-quoted string behind its opening quote.
func (s *shellScanner) double(w *shellWord, buf []byte) []byte {
	for s.i < len(s.src) {
		switch c := s.src[s.i]; c {
		case '"':
			s.i++
			return buf
		case '\\':
			next := s.at(s.i + 1)
			switch next {
			case '"', '\\', '$', '`':
				buf = append(buf, next)
			case '\n', 0:
			default:
				buf = append(buf, c, next)
			}
			s.i = min(len(s.src), s.i+2)
		case '$', '`':
			buf = s.expansion(w, buf)
		default:
			buf = append(buf, c)
			s.i++
		}
	}
	return buf
}

// expansion steps over $name, ${..}, $(..), $'..' and `..`.
func (s *shellScanner) expansion(w *shellWord, buf []byte) []byte {
	end := byte('`')
	if s.src[s.i] == '$' {
		s.i++
		switch s.at(s.i) {
		case '(':
			w.opaque = true
			s.i++
			s.substitution()
			return buf
		case '{':
			end = '}'
		case '\'':
			end = '\''
		case ' ', '\t', '\n', '"', 0:
			return append(buf, '$') // a lone dollar
		default:
			w.opaque = true
			return append(buf, '$')
		}
	}
	w.opaque = true
	s.i++
	if n := strings.IndexByte(s.src[min(s.i, len(s.src)):], end); n >= 0 {
		s.i += n + 1
	} else {
		s.i = len(s.src)
	}
	return buf
}

// substitution steps over everything up to the parenthesis that closes it.
func (s *shellScanner) substitution() {
	depth, quote := 1, byte(0)
	for s.i < len(s.src) && depth > 0 {
		c := s.src[s.i]
		switch {
		case c == '\\' && quote != '\'':
			s.i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '(':
			depth++
		case c == ')':
			depth--
		}
		s.i++
	}
	s.i = min(s.i, len(s.src))
}

func digits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}
