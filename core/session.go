package core

import (
	"encoding/json"
	"errors"
	"slices"

	"github.com/tamp-dev/tamp/core/policy"
	"github.com/tamp-dev/tamp/core/transcript"
	"github.com/tamp-dev/tamp/core/trigger"
)

// Session is the loop of a host as one value: it holds the history, is fed what is
// new at each round, and carries the state from call to call. It never writes into
// what it is given, and may be dropped at any time: a new one goes on from its
// State. It is not safe for concurrent use.
//
//	s, err := core.NewSession(core.Request{Policy: ..., Format: "openai-chat"})
//	for { // before each request of the loop
//		p, err := s.Plan(core.Round{Messages: fresh, Usage: usage})
//		if p.Plan != nil { // a compaction is due
//			res, err := s.Apply(core.Outcome{Answers: ...}) // none: the digest
//			history = res.Transcript
//		}
//	}
//
// Cost: a round that is not due costs the bytes of its new messages, and some
// nanoseconds for each item, in JSON arrays of openai-chat, openai-responses and
// anthropic-messages. All of the history is read again where that is due, in the
// first round behind it, where the history is another than before with more behind
// it, in every other format, where a compaction that failed holds a rule back
// (what could be folded must be known then), and where the model changes.
type Session struct {
	engine *Engine
	base   Request // what is the same at each round
	rules  *policy.Policy
	known  known
	state  state
	using  *Model   // of the newest round
	last   *Model   // of the last one, which is the one before a switch; the state's, where that has room for it
	due    *Request // the compaction that the last Plan asked for, nil for none
}

// carriedSession is what only a Session puts into the state.
type carriedSession struct {
	// Model is the one of the last round: another one is a switch. Absent where the
	// state had no room for it: whoever goes on from it names the model before.
	Model *Model `json:"model,omitempty"`
	// Rounds are the rounds of the turn that compactions took out of the history,
	// and Turns the real user messages that it had then: with more of them the turn
	// is another.
	Rounds int `json:"rounds,omitempty"`
	Turns  int `json:"turns,omitempty"`
}

// maxState is the bytes that a state stays under. The names of a model are the one
// thing in it that a host makes as long as it likes: an ARN has 100 bytes, and may
// have 2,000.
const maxState = 2048

// Round is what a host says before a request of its loop.
type Round struct {
	// Transcript is all of the history as it stands. Messages is a JSON array of what
	// came behind the history that the session holds, in the place of Transcript.
	// Without either the history is the one that the session holds.
	Transcript []byte
	Messages   []byte
	Text       bool       // Transcript is the text of a file
	Usage      *Usage     // as it was reported for the last request, nil is unknown
	Model      *Model     // nil: that of the last round
	Round      *int       // nil: counted over compactions
	Phase      string     // "" is derived
	Trigger    string     // "" is "auto"
	Force      bool       // compact whatever the triggers say
	Now        string     // RFC 3339, for formats whose lines carry a time
	Window     *WindowIDs // the host's names for the windows
}

// Due is the answer to a round.
type Due struct {
	Decision Decision
	Plan     *PlanResult // nil: go on with the history as it is
}

// Outcome is what came of a summary step: at most one of Answers and Summary.
// Without either the digest stands in.
type Outcome struct {
	Answers []Answer
	Summary *string       // the caller's own
	Trace   *TraceRequest // what only the host knows
}

// NewSession is a session with what is the same at each of its rounds: policy,
// format, conversation, models, model, record, checkpoint and so on. A transcript
// is the history so far, a state that of an earlier session or of any result; all
// else that belongs to one round is Round's. Errors: invalid_policy, invalid_state.
func NewSession(base Request) (*Session, error) { return new(Engine).NewSession(base) }

// NewSession is the function of that name, with the engine's encodings.
func (e *Engine) NewSession(base Request) (*Session, error) {
	s := &Session{engine: e, base: base}
	var err error
	if s.state, err = decodeState(base.State); err != nil {
		return nil, err
	}
	j := &job{req: base}
	if err = e.configure(j); err != nil {
		return nil, err
	}
	if s.rules, err = policy.Compile(j.req.Policy, base.Model); err != nil {
		return nil, err
	}
	s.using = base.Model
	if c := s.state.Session; c != nil {
		s.last = c.Model
		if s.using == nil {
			s.using = c.Model
		}
	}
	s.known.hold(base.Transcript, base.Text)
	s.base.Transcript, s.base.State, s.base.PreviousModel, s.base.Usage = nil, nil, nil, nil
	s.base.Answers, s.base.Summary, s.base.Trace = nil, nil, nil
	return s, nil
}

// State is the state as the API has it: send it to any call, or to NewSession.
func (s *Session) State() json.RawMessage { return s.state.encode() }

// Transcript is a copy of the history that the session holds.
func (s *Session) Transcript() []byte { return slices.Clone(s.known.bytes()) }

// Plan feeds a round and says whether a compaction is due, and what it would do. An
// error leaves the session as it was.
func (s *Session) Plan(r Round) (*Due, error) {
	was := s.known.mark()
	d, err := s.plan(r)
	if err != nil {
		s.known.back(was)
	}
	return d, err
}

func (s *Session) plan(r Round) (*Due, error) {
	if err := s.known.feed(s.base, r); err != nil {
		return nil, err
	}
	req := s.request(r)
	if s.known.doc == nil {
		whole := req
		whole.Transcript = s.known.bytes()
		if err := check(whole); err != nil {
			return nil, err
		}
		if err := s.known.read(whole); err != nil {
			return nil, err
		}
	}
	s.count(&req)
	j, due, err := s.known.glance(s.engine, req, s.rules)
	if err != nil {
		return nil, err
	}
	if j != nil && !due {
		s.goOn(j, req.Model)
		return &Due{Decision: *j.decision}, nil
	}
	req.Transcript = s.known.bytes()
	if j, err = s.engine.prepare(req, s.known.whole); err != nil {
		return nil, err
	}
	res, err := j.planned()
	if err != nil {
		return nil, err
	}
	if !j.decision.Fired && !j.decision.Forced {
		s.goOn(j, req.Model)
		return &Due{Decision: *j.decision}, nil
	}
	// The switch is not made before Apply: the state keeps the model before it.
	s.due, s.using, s.state = &req, req.Model, j.state()
	return &Due{Decision: *j.decision, Plan: res}, nil
}

// goOn is the end of a round that is not due.
func (s *Session) goOn(j *job, m *Model) {
	s.due, s.using = nil, m
	s.adopt(j.state(), m)
}

// Next is the plan that is due with the answers so far: the next request, or none
// where the summary step is done.
func (s *Session) Next(answers []Answer) (*PlanResult, error) {
	if s.due == nil {
		return nil, notDue()
	}
	req := *s.due
	req.Answers = answers
	return s.engine.Plan(req)
}

// Apply compacts, and goes on with what came of it, which is also what the host
// sends from now on. A summary step that failed for good is an error, a
// *FailedAttempt: then the history stands, and the rules are held until it grew.
func (s *Session) Apply(o Outcome) (*CompactResult, error) {
	if s.due == nil {
		return nil, notDue()
	}
	req := *s.due
	req.Answers, req.Summary, req.Trace = o.Answers, o.Summary, o.Trace
	res, err := s.engine.Compact(req)
	if err != nil {
		if f, ok := errors.AsType[*FailedAttempt](err); ok {
			next, bad := decodeState(f.State)
			if bad != nil {
				return nil, bad
			}
			s.adopt(next, s.using)
			s.due = nil
		}
		return nil, err
	}
	next, err := decodeState(res.State)
	if err != nil {
		return nil, err
	}
	s.due = nil
	if !res.Compacted {
		s.adopt(next, s.using)
		return res, nil
	}
	s.known.hold(res.Transcript, res.Text)
	read := s.request(Round{Now: req.Now})
	read.Transcript = s.known.bytes()
	if err := s.known.read(read); err != nil {
		return nil, err
	}
	s.known.marked(s.rules)
	t := s.known.doc.Transcript
	next.Session = &carriedSession{Rounds: max(0, res.Decision.Round-trigger.Round(t)), Turns: turns(t)}
	s.adopt(next, s.using)
	return res, nil
}

func notDue() error {
	return &Error{Code: "invalid_request", Message: "no compaction is due: Plan gives one first"}
}

// request is the round as a request.
func (s *Session) request(r Round) Request {
	req := s.base
	req.Transcript, req.Text = s.known.src, s.known.text // not closed yet, where it is a list
	req.State = s.state.encode()
	req.Usage, req.Round, req.Phase, req.Trigger = r.Usage, r.Round, r.Phase, r.Trigger
	req.Force, req.Now, req.Window = r.Force, r.Now, r.Window
	req.Model = r.Model
	if req.Model == nil {
		req.Model = s.using
	}
	last := s.last
	if req.Model != nil && last != nil && (last.ID != req.Model.ID || last.CompHash != req.Model.CompHash) && (last.ID != "" || last.CompHash != "") {
		req.PreviousModel = last
	}
	return req
}

// count says the round of a turn that was compacted: the history alone shows fewer.
func (s *Session) count(req *Request) {
	c := s.state.Session
	if req.Round != nil || c == nil || c.Rounds == 0 {
		return
	}
	s.known.marked(s.rules)
	if t := s.known.doc.Transcript; turns(t) == c.Turns {
		n := c.Rounds + trigger.Round(t)
		req.Round = &n
	}
}

// adopt takes a state over, and the model that the next round is measured against.
func (s *Session) adopt(next state, m *Model) {
	c := carriedSession{}
	if next.Session != nil {
		c = *next.Session
	}
	if s.last = nil; m != nil {
		held := *m
		c.Model, s.last = &held, &held
	}
	next.Session = nil
	if c != (carriedSession{}) {
		next.Session = &c
		if c.Model != nil && len(next.encode()) >= maxState {
			c.Model = nil
		}
	}
	s.state = next
}

// turns counts the real user messages.
func turns(t *transcript.Transcript) int {
	n := 0
	for i := range t.Items {
		if t.Items[i].RealUser() {
			n++
		}
	}
	return n
}
