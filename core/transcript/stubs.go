package transcript

// What stands for what nobody knows, in repaired transcripts and in requests to a
// summariser.
const (
	// Unanswered is what the made-up result of a call says. It must be true of one
	// that still waits, too: a summariser is shown those.
	Unanswered = "(This call was not answered: no result of it is known.)"
	// Opening stands before a conversation whose first message would be of another
	// role than the provider takes first.
	Opening = "(The beginning of this conversation is not shown.)"
)
