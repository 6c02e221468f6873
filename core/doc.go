// Package core is tamp's facade: it packs down the history of a long LLM
// conversation or tool loop so that the model can go on, and says exactly what
// became of every message. It reads no clock, network, environment or random
// source: the same request gives the same bytes natively, in GOOS=js and in
// GOOS=wasip1.
//
// The one flow:
//
//	bytes -> format.Decode -> Transcript -> tokens.Measure -> trigger.Evaluate -> Decision
//	      -> compact.NewPlan: a fate for every item, and the first summary request
//	      == the host calls a model, or the digest answers ==
//	      -> Next: another request (a shrunk retry), or done
//	      -> Apply: the compacted transcript and a Receipt -> format.Encode -> bytes
//
// [Compact] is all of it in one call; [Plan] stops before the summary and gives
// the request for a model of the caller's own, whose answer goes to [Apply] or
// into Request.Summary. [Count] only measures. [Call] is all of them over the
// JSON of the HTTP API. These functions estimate; an [Engine] that holds exact
// encodings has the same ones as methods.
//
// Given a transcript without items there is nothing to fold. Results share the
// bytes of the request's transcript where nothing was compacted; nothing is
// ever written into them. A package for each noun stands below: transcript (the
// model), format (bytes), tokens (counting), policy (data), trigger (when),
// compact (what), summary (the text).
package core
