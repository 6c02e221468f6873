package format

import (
	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// SWE-agent trajectories: {trajectory, history, info}. history is what the model
// was sent, one message after the other. trajectory is the same run step by step
// (older files and demonstrations have one of the two only); newer steps hold
// the whole prompt in messages or query once more. Where both are there, history
// is the conversation and trajectory stays as it is.

func sweFormat() *format {
	rules := harnessRefusals()
	return &format{
		Info: Info{
			Name: "swe-agent", Title: "SWE-agent trajectory", Provider: rules.Provider,
			Shapes: []string{shapeRequest, shapeArray, shapeLines}, Write: "edit",
		},
		family: transcript.Chat,
		rules:  rules,
		holds:  sweHolds,
		item:   sweStep,
		sniff:  sniffSWE,
		decode: decodeSWE,
	}
}

func sweHolds(o object) (member, sign string) {
	history, trajectory := o.get("history"), o.get("trajectory")
	steps := sweSteps(trajectory)
	for e := range history.Elems() {
		switch sign := sweSign(value{e, history.base}); {
		case sign != "" && trajectory.Is(rawjson.Array):
			return "history", "its history has " + sign + "; trajectory repeats it and stays as it is"
		case sign != "":
			return "history", "its history has " + sign
		case steps && e.Get("role").Exists():
			return "history", "it has a history beside a trajectory of actions and observations, which stays as it is"
		}
	}
	if steps {
		return "trajectory", "it has a trajectory of actions and observations, and no history"
	}
	return "", ""
}

// sweSteps reports whether the first object of a list is a step of a trajectory.
func sweSteps(list value) bool {
	for e := range list.Elems() {
		if e.Is(rawjson.Object) {
			return sweStep(value{e, list.base})
		}
	}
	return false
}

// sweStep reports whether e is a step: what the model wrote, the action read from
// it, and what that gave.
func sweStep(e value) bool {
	return !e.Get("role").Exists() && e.Get("action").Is(rawjson.String) && e.Get("observation").Is(rawjson.String) &&
		(e.Get("response").Is(rawjson.String) || e.Get("thought").Is(rawjson.String))
}

// sweSign is what only a message of SWE-agent has.
func sweSign(e value) string {
	if !e.Get("role").Is(rawjson.String) {
		return ""
	}
	if e.Get("tool_call_ids").Is(rawjson.Array) {
		return "tool_call_ids"
	}
	switch str(e, "message_type") {
	case "system_prompt", "demonstration", "observation", "action":
		if !e.Get("agent").Exists() {
			return "message_type"
		}
	}
	if !e.Get("agent").Is(rawjson.String) {
		return ""
	}
	for _, key := range []string{"message_type", "is_demo", "action", "thought"} {
		if e.Get(key).Exists() {
			return "agent and " + key
		}
	}
	return ""
}

func sniffSWE(s *sample) finding {
	return s.signs(func(e value) string {
		if sweStep(e) {
			return "action, observation and response"
		}
		return sweSign(e)
	})
}

// sweCodec writes into the list that was read; requests are made of the parts.
type sweCodec struct {
	list
	converted
}

func decodeSWE(s *sample, _ *format, _ Options) (*Document, error) {
	waits := false // a command in a text waits for its output
	items, err := s.decodeList(func(v rawjson.Value) (transcript.Item, *fault) {
		it, f := readSWE(v, waits)
		waits = textCall(&it)
		return it, f
	})
	if err != nil {
		return nil, err
	}
	t := &transcript.Transcript{Items: items, Writer: newSWEWriter(s)}
	t.Model = s.root.Get("replay_config").Get("agent").Get("model").Get("name").Text()
	return &Document{Transcript: t, codec: &sweCodec{list: s.list}}, nil
}
