package compact

// Unpruned says why a pass of the policy's tools cleared nothing: what it left
// alone, on which account, and how much of it there is.
type Unpruned struct {
	Reason  Spared        `json:"reason"`
	Gain    int           `json:"gain"`     // tokens that the pass would have saved
	MinGain int           `json:"min_gain"` // tokens that it must save, the policy's
	Spared  []SparedParts `json:"spared"`   // in the order of the reasons
}

// SparedParts is what one reason spares.
type SparedParts struct {
	Reason Spared `json:"reason"`
	Parts  int    `json:"parts"` // results, inputs, media, thoughts
	Tokens int    `json:"tokens"`
}

// Spared is why a pass leaves something alone.
type Spared string

// The reasons, the first that holds.
const (
	BelowMinGain Spared = "below_min_gain" // all of it together saves too little
	NothingThere Spared = "nothing_there"  // no item has anything of the kinds that the policy clears

	AmongNewest    Spared = "among_newest"    // tools.keep_last
	Protected      Spared = "protected"       // tools.protect_tokens
	Unread         Spared = "unread"          // the model has not answered it yet
	LatestTurn     Spared = "latest_turn"     // media and thoughts of the turn that goes on
	Excluded       Spared = "excluded"        // tools.exclude
	ErrorKept      Spared = "error_kept"      // tools.keep_errors
	Untouchable    Spared = "untouchable"     // its item is pinned, waits for a result, or is a summary
	AlreadyCleared Spared = "already_cleared" // by an earlier pass
	NotSmaller     Spared = "not_smaller"     // a placeholder would be no shorter, or the format has no place for one
)

// SparedReasons is the list of them, in the order of the constants.
func SparedReasons() []Spared {
	return []Spared{
		BelowMinGain, NothingThere, AmongNewest, Protected, Unread, LatestTurn, Excluded, ErrorKept, Untouchable, AlreadyCleared, NotSmaller,
	}
}

// spare notes that something of so many tokens is left alone.
func (pr *pruner) spare(why Spared, tokens int) {
	s := pr.spared[why]
	pr.spared[why] = SparedParts{why, s.Parts + 1, s.Tokens + tokens}
}

// idle says why nothing is cleared, where it is not: with a gain that is too
// small that, else the reason that spares the most tokens, the first of several.
func (pr *pruner) idle(gain int) *Unpruned {
	u := &Unpruned{Reason: NothingThere, Gain: gain, MinGain: pr.tools.MinGain, Spared: []SparedParts{}}
	most := -1
	for _, why := range SparedReasons() {
		s, ok := pr.spared[why]
		if !ok {
			continue
		}
		u.Spared = append(u.Spared, s)
		if s.Tokens > most {
			u.Reason, most = why, s.Tokens
		}
	}
	if gain > 0 {
		u.Reason = BelowMinGain
	}
	return u
}
