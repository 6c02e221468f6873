package format

import (
	"github.com/tamp-dev/tamp/core/transcript"
)

// Whether marks make a conversation, and which name is the person's.

// spoken are the marks of one style that a conversation is made of: those whose
// names say a role, with at least a person and a model among them. In headings
// the person may have a name of their own.
func spoken(text []byte, marks []turnMark, named bool) []turnMark {
	role := map[transcript.Role]int{}
	for _, m := range marks {
		role[m.role]++
	}
	if role[transcript.Assistant] == 0 {
		return nil
	}
	person := ""
	if role[transcript.User] == 0 {
		standsForOthers(text, marks)
		if person = personIn(marks, named); person == "" {
			return nil
		}
	}
	var out []turnMark
	for _, m := range marks {
		if m.role == "" && m.name == person && person != "" {
			m.role, m.learned = transcript.User, true
		}
		if m.role != "" {
			out = append(out, m)
		}
	}
	return out
}

// personIn is the name that a person speaks under: that of tamp's summary, that to
// which a summary in the model's name is told, else
// the one that stands most often of those before an answer. Before a summary in
// the model's name anything may have stood, the title of notes above the first
// turn as well: that names nobody. Where the caller says that this is a
// transcript, a name behind another turn is enough.
func personIn(marks []turnMark, named bool) string {
	ours, before, behind := map[string]bool{}, map[string]bool{}, map[string]bool{}
	turns := false // behind the first
	for i, m := range marks {
		switch {
		case m.ours && m.to != "":
			return m.to
		case m.role == "":
			ours[m.name] = ours[m.name] || m.ours
			behind[m.name] = behind[m.name] || turns
		case m.role == transcript.Assistant && !m.ours && i > 0 && marks[i-1].role == "":
			before[marks[i-1].name] = true
		}
		turns = turns || m.role != ""
	}
	for _, among := range []map[string]bool{ours, before} {
		if person := mostOften(marks, among); person != "" {
			return person
		}
	}
	if named {
		return mostOften(marks, behind)
	}
	return ""
}

// mostOften is the name without a role that stands most often of those among
// which it is, of equals the first; "" where there is none.
func mostOften(marks []turnMark, among map[string]bool) string {
	count, best := map[string]int{}, ""
	for _, m := range marks {
		if m.role == "" && among[m.name] {
			count[m.name]++
		}
	}
	for _, m := range marks {
		if count[m.name] > count[best] {
			best = m.name
		}
	}
	return best
}

// oneSide are the marks of a text in which one side speaks: those with a role,
// else the headings of one name: that of tamp's summary, and where the caller
// says that this is a transcript the one that stands most often.
func oneSide(text []byte, byStyle [][]turnMark, named bool) []turnMark {
	var best []turnMark
	for _, marks := range byStyle {
		var known []turnMark
		summary := false
		standsForOthers(text, marks)
		for _, m := range marks {
			if m.role != "" {
				known, summary = append(known, m), summary || m.ours
			}
		}
		if (named || summary) && len(known) > len(best) {
			best = known
		}
	}
	if best != nil {
		return best
	}
	for _, own := range []bool{true, false} {
		if best != nil || !own && !named {
			break
		}
		for _, marks := range byStyle {
			among := map[string]bool{}
			for _, m := range marks {
				among[m.name] = among[m.name] || m.ours || !own
			}
			person := mostOften(marks, among)
			var turns []turnMark
			for _, m := range marks {
				if m.name == person && person != "" {
					m.role, m.learned = transcript.User, true
					turns = append(turns, m)
				}
			}
			if len(turns) > len(best) {
				best = turns
			}
		}
	}
	return best
}

// learned is the name of a person that only this text gives, as far as that shows:
// without turns of theirs a summary may say it.
func learned(marks []turnMark) string {
	told := ""
	for _, m := range marks {
		switch {
		case m.learned:
			return m.name
		case m.ours && m.to != "":
			told = m.to
		}
	}
	return told
}
