package core

import "github.com/tamp-dev/tamp/core/format"

// ItemsResult is a transcript as a person reads it, whatever its format.
type ItemsResult struct {
	Format FormatInfo `json:"format"`
	Items  []ItemView `json:"items"`
}

// ItemView is one item of the effective history.
type ItemView struct {
	Index int        `json:"index"`
	Path  string     `json:"path"` // its place in the transcript
	Role  string     `json:"role"`
	Type  string     `json:"type,omitempty"`
	Parts []PartView `json:"parts"`
}

// PartView is one part of an item, decoded.
type PartView struct {
	Kind   string `json:"kind"` // text, thinking, call, result, image, audio, file, opaque, other
	ID     string `json:"id,omitempty"`
	Name   string `json:"name,omitempty"`
	Text   string `json:"text,omitempty"` // never the payload of media or of what only a provider can read
	Bytes  int    `json:"bytes,omitempty"`
	Failed bool   `json:"failed,omitempty"`
}

// Items reads the transcript of a request (its format, conversation and rewrite
// count, nothing else does) and changes nothing. Cost: linear.
func Items(req Request) (*ItemsResult, error) {
	doc, err := format.Decode(req.Transcript, format.Options{
		Format: req.Format, Conversation: req.Conversation, Rewrite: req.Rewrite, Text: req.Text,
	})
	if err != nil {
		return nil, err
	}
	res := &ItemsResult{Format: infoOf(doc.Verdict), Items: make([]ItemView, len(doc.Items))}
	for i := range doc.Items {
		it := &doc.Items[i]
		v := ItemView{Index: i, Path: it.Path, Role: string(it.Role), Type: it.Type, Parts: make([]PartView, len(it.Parts))}
		for j, p := range it.Parts {
			v.Parts[j] = PartView{Kind: p.Kind.String(), ID: p.ID, Name: p.Name, Text: p.Text, Bytes: p.Bytes, Failed: p.Failed}
			if p.Kind.Payload() {
				v.Parts[j].Bytes = max(p.Bytes, len(p.Text))
				v.Parts[j].Text = ""
			}
		}
		res.Items[i] = v
	}
	return res, nil
}
