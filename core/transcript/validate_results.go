package transcript

// Where results stand, and what calls and results need around them.

// toolsDeclared is told once, at the first place that would need them.
func (v *validator) toolsDeclared() {
	if !v.t.NoTools {
		return
	}
	for i := range v.t.Items {
		for j, part := range v.t.Items[i].Parts {
			if (part.Kind == Call || part.Kind == Result) && !part.Server {
				v.part(Ref{i, j}, "tools_declared", part.Kind.String()+" in a request that declares no tools")
				return
			}
		}
	}
}

// resultsFollow: behind a message with calls stand its results and nothing
// else, until all of them are there.
func (v *validator) resultsFollow() {
	for i := range v.t.Items {
		missing := map[string]int{}
		for _, part := range v.t.Items[i].Parts {
			if part.Kind == Call && part.ID != "" && !part.Server {
				missing[part.ID]++
			}
		}
		for j := i + 1; len(missing) > 0 && j < len(v.t.Items); j++ {
			it := &v.t.Items[j]
			if it.Role != Tool {
				// Calls that nobody answers anywhere are told once, by calls_answered.
				if v.laterAnswer(i, j) {
					v.item(j, "results_follow", "stands between a call and its result")
				}
				break
			}
			for _, part := range it.Parts {
				if part.Kind == Result {
					if missing[part.ID]--; missing[part.ID] <= 0 {
						delete(missing, part.ID)
					}
				}
			}
		}
	}
}

// laterAnswer reports whether a result for item i stands at j or behind it.
func (v *validator) laterAnswer(i, j int) bool {
	for _, p := range v.p.PartnersOf(i) {
		if p >= j {
			return true
		}
	}
	return false
}

// resultsInUser: the results of an assistant turn stand in the user turn
// behind it, before its text. A turn is a run of messages of one role: the
// provider joins them.
func (v *validator) resultsInUser() {
	orphan := map[Ref]bool{} // told already, by results_called
	for _, ref := range v.p.Orphans {
		orphan[ref] = true
	}
	for _, m := range Misplaced(v.t) {
		message := "result is not in the user turn behind its call"
		switch part := &v.t.Items[m.Result.Item].Parts[m.Result.Part]; {
		case part.Server && !v.r.ServerPairs, orphan[m.Result]:
			continue
		case part.Server:
			message = "result of a provider's tool is not in the assistant turn of its call"
		case m.BehindText:
			message = "result behind text of the same turn"
		}
		v.part(m.Result, "results_in_user", message)
	}
}
