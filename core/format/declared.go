package format

import (
	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// noTools reports whether the items came in the body of a request that declares
// no tools. An object that only holds messages (a row of a harness, a file with
// a title) says nothing of the request that they were sent in: a body is known by
// what only a request has.
func noTools(root object, t *transcript.Transcript) bool {
	if !root.Is(rawjson.Object) || declares(t.Tools) || declares(root.Get("toolConfig").Get("tools").Raw()) || declares(root.Get("tools").Raw()) {
		return false
	}
	for _, key := range []string{"modelId", "inferenceConfig", "toolConfig", "additionalModelRequestFields", "max_tokens"} {
		if root.Get(key).Exists() {
			return true
		}
	}
	return false
}

// declares reports whether a list of tools has one.
func declares(tools []byte) bool {
	v, err := rawjson.Parse(tools)
	return err == nil && v.Is(rawjson.Array) && v.Len() > 0
}

// thinks reports whether a Messages request asks for thinking in every answer.
// Under "adaptive" the model decides for itself.
func thinks(root object) bool {
	return root.Get("thinking").Get("type").Text() == "enabled"
}

// null reports whether the content of a chat message is one that the API does
// not take where nothing stands in its place.
func null(content rawjson.Value) bool {
	switch content.Kind() {
	case rawjson.Invalid, rawjson.Null:
		return true
	case rawjson.Array:
		return content.Len() == 0
	default:
		return false
	}
}
