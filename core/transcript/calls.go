package transcript

// Calls finds the call of each result, as Pair does. Orphans are not in it.
// Cost: linear.
func Calls(t *Transcript) map[Ref]Ref {
	all := make([]int, len(t.Items))
	for i := range all {
		all[i] = i
	}
	calls := map[Ref]Ref{}
	Match(t, all, func(result, call Ref, ok bool) {
		if ok {
			calls[result] = call
		}
	})
	return calls
}
