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
	for _, p := range v.p.Partners[i] {
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
	items := v.t.Items
	orphan := map[Ref]bool{} // told already, by results_called
	for _, ref := range v.p.Orphans {
		orphan[ref] = true
	}
	for i := 0; i < len(items); {
		end := v.turn(i)
		if items[i].Role == User {
			text := false
			for j := i; j < end; j++ {
				for k, part := range items[j].Parts {
					switch part.Kind {
					case Result:
						if text && !part.Server && !orphan[Ref{j, k}] {
							v.part(Ref{j, k}, "results_in_user", "result behind text of the same turn")
						}
					case Text:
						text = text || part.Text != ""
					default:
					}
				}
			}
		}
		if items[i].Role == Assistant {
			next := end
			if end < len(items) {
				next = v.turn(end)
			}
			for j := i; j < end; j++ {
				for _, p := range v.p.Partners[j] {
					if p >= next || p < end {
						v.item(p, "results_in_user", "result is not in the user turn behind its call")
					}
				}
			}
		}
		i = end
	}
}

// turn is the end of the run of items that have the role of item i.
func (v *validator) turn(i int) int {
	end := i + 1
	for end < len(v.t.Items) && v.t.Items[end].Role == v.t.Items[i].Role {
		end++
	}
	return end
}
