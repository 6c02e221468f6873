package summary

// doubt is how sure a command ran and did its work, going by the script alone.
type doubt uint8

const (
	doubtNone   doubt = iota // it ran; only its own complaint speaks against it
	doubtTested              // it ran if a test before it held, which says nothing when it does not
	doubtNever               // in an if, a case or a loop's condition, behind ||, in a function: nobody knows
)

// shellFlow follows the control flow of a script far enough to say of each
// command how sure it ran, and in which list of commands joined by && it
// stands: a script's exit code is that of the last list.
type shellFlow struct {
	dir      string
	frames   []shellFrame
	base     doubt // of everything here
	or       bool  // behind || in this list
	tested   bool  // behind a test and && in this list
	list     int
	lastList int
	empty    bool // a parenthesis was just opened
	def      bool // "name()" was read: what follows in braces is a function
	not      bool // this command stands behind a !
}

// shellFrame is what holds around a subshell, a group or a compound command.
type shellFrame struct {
	kind       byte // ( { i(f) c(ase) w(hile), until, for
	dir        string
	base       doubt
	or, tested bool
}

func (s *shellFlow) level() doubt {
	switch {
	case s.base == doubtNever || s.or || s.not:
		return doubtNever
	case s.tested:
		return doubtTested
	}
	return s.base
}

func (s *shellFlow) push(kind byte, inside doubt) {
	s.frames = append(s.frames, shellFrame{kind, s.dir, s.base, s.or, s.tested})
	s.base = max(s.level(), inside)
	s.or, s.tested = false, false
}

func (s *shellFlow) pop(kind byte) {
	n := len(s.frames) - 1
	if n < 0 || s.frames[n].kind != kind {
		return // a case's pattern ends with a parenthesis, too
	}
	f := s.frames[n]
	s.frames = s.frames[:n]
	s.base, s.or, s.tested = f.base, f.or, f.tested
	if kind == '(' {
		s.dir = f.dir
	}
}

func (s *shellFlow) paren(c *shellCmd) {
	if c.scope > 0 {
		s.push('(', doubtNone)
		s.empty = true
		return
	}
	s.pop('(')
	if s.empty {
		s.def, s.empty = true, false
	}
	s.after(c.op)
}

// enter reads the words before a command that open and close compound ones.
func (s *shellFlow) enter(words []shellWord) {
	def := s.def
	s.empty, s.def = false, false
	for _, w := range words {
		if w.quoted || w.opaque {
			return
		}
		switch w.text {
		case "if", "case":
			s.push(w.text[0], doubtNever)
		case "while", "until":
			s.push('w', doubtNever)
		case "for", "select":
			s.push('w', doubtNone)
		case "function":
			if def = words[len(words)-1].text == "{"; def {
				s.push('{', doubtNever)
			}
			s.def = !def
			return
		case "{":
			if def {
				s.push('{', doubtNever)
			} else {
				s.push('{', doubtNone)
			}
		case "!": // what it negates failed where the script did not
			s.not = true
		case "fi":
			s.pop('i')
		case "esac":
			s.pop('c')
		case "done":
			s.pop('w')
		case "}":
			s.pop('{')
		case "then", "else", "elif", "do", "time":
		case "exit", "return":
			if s.level() == doubtNone {
				s.base = doubtNever // for all that stands behind it here
			}
			return
		default:
			return
		}
	}
}

// leave reads what stands behind a command.
func (s *shellFlow) leave(c *shellCmd) {
	s.lastList = s.list
	if words := stripLead(c.words); c.op == "&&" && (s.not || len(words) > 0 && silent(words[0].text)) {
		s.tested = true
	}
	s.not = false
	s.after(c.op)
}

func (s *shellFlow) after(op string) {
	switch op {
	case "&&", "|":
	case "||":
		s.or = true
		s.list++
	default:
		s.or, s.tested = false, false
		s.list++
	}
}

// silent reports whether a program that fails says nothing: a test.
func silent(program string) bool {
	switch program {
	case "[", "[[", "test", "grep", "egrep", "fgrep", "rg", "cmp", "diff", "false", "which", "type", "pgrep":
		return true
	}
	return false
}
