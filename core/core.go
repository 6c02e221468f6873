// Package core is the facade of tamp: the whole engine behind a few pure
// functions. See doc.go for the tour.
package core

// The facade (contract; the bodies follow):
//
//	func Plan(req Request) (*PlanResult, error)
//	func Compact(req Request) (*CompactResult, error)
//	func Formats() FormatsResult
//	func Presets() PresetsResult
//	func Reasons() []ReasonInfo
//	func Call(op string, body []byte) ([]byte, error) // ops: plan, compact, formats, presets, reasons, detect
//
// Every error is an *Error. Call takes and gives the JSON of API.md.

// Version is the version of the engine.
const Version = "0.1.0"
