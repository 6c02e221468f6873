package state

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tamp-dev/tamp/web/internal/text"
)

// maxPast is how many replaced transcripts can be brought back. Their texts are
// shared, not copied: ten of a megabyte each are 10 MB.
const maxPast = 10

// supply is what happens to the transcript as a whole. Files and samples come
// late: what arrives counts only if nothing else was wanted since.
func (s State) supply(a Action) (State, []Effect) {
	switch a := a.(type) {
	case Open:
		s.wish++
		s.Sample, s.Note = "", Notice{}
		if a.Of > 1 {
			s.Note = Notice{Key: "input.first", Args: []string{a.Name, strconv.Itoa(a.Of)}}
		}
		return s, []Effect{ReadFile{Name: a.Name, File: a.File, Wish: s.wish}}
	case Pick:
		if a.Sample == "" {
			return s, nil
		}
		s.wish++
		s.Sample, s.Note = a.Sample, Notice{}
		return s, []Effect{Fetch{Sample: a.Sample, Wish: s.wish}}
	case Loaded:
		if a.Wish != s.wish {
			return s, nil
		}
		if !utf8Text(a.Data) {
			return s.miss("input.not_text", a.Name), nil
		}
		s = s.say("notice.loaded", a.Name, text.Size(len(a.Data)))
		return s.replace(Source{Text: string(a.Data), Name: a.Name, sample: s.Sample == a.Name})
	case Unread:
		if a.Wish != s.wish {
			return s, nil
		}
		return s.miss("notice.unread", a.Name), nil
	case Clear:
		s.wish++
		s.Sample, s.Note = "", Notice{}
		s = s.say("notice.cleared")
		return s.replace(Source{})
	case Undo:
		return s.undo()
	}
	return s, nil
}

// miss says why a file or sample is not the transcript: the one before stays.
func (s State) miss(key, name string) State {
	s.Sample = s.Source.listed()
	s.Note = Notice{Key: key, Args: []string{name}}
	return s.say(key, name)
}

// replace puts another transcript into the place of this one, which can be
// brought back.
func (s State) replace(src Source) (State, []Effect) {
	if strings.TrimSpace(s.Source.Text) != "" && s.Source.Text != src.Text {
		s.Past = append(slices.Clone(s.Past), s.present())
		s.Past = s.Past[max(0, len(s.Past)-maxPast):]
	}
	return s.put(src, nil)
}

// undo brings back what was replaced last. What was typed since takes its
// place, so that nothing that a person wrote is lost.
func (s State) undo() (State, []Effect) {
	if len(s.Past) == 0 {
		return s, nil
	}
	was := s.Past[len(s.Past)-1]
	now := s.present()
	s.Past = slices.Clone(s.Past[:len(s.Past)-1])
	if now.edited && strings.TrimSpace(now.Source.Text) != "" {
		s.Past = append(s.Past, now)
	}
	s.wish++
	s.Sample, s.Note = was.Source.listed(), Notice{}
	s = s.say("notice.undone")
	return s.put(was.Source, was.Summary)
}

// present is the transcript as it stands.
func (s State) present() Past {
	return Past{Source: s.Source, Summary: s.Summary, edited: s.Source.edited || s.Summary != nil}
}

func (s State) put(src Source, summary *string) (State, []Effect) {
	s, effects := s.read(src, true)
	s.Summary = summary
	return s, append([]Effect{SetInput{s.Source.Text}}, effects...)
}

// utf8Text says whether data is text in UTF-8. UTF-16 without a mark is valid
// UTF-8 as long as it is ASCII: every second byte is zero then, the first or
// the second among them.
func utf8Text(data []byte) bool {
	if len(data) >= 2 && (data[0] == 0) != (data[1] == 0) {
		return false
	}
	return utf8.Valid(data)
}
