package proxy

import (
	"github.com/tamp-dev/tamp/core"
	"github.com/tamp-dev/tamp/core/tokens/ranks"
	"github.com/tamp-dev/tamp/worker/config"
)

// NewEngine is the engine with the encodings that this program carries: both, or
// o200k_base alone where it is built with the tag tamp_o200k. Nothing is paid
// until a model asks for one: then about 10 ms and 6.5 MB (cl100k_base 5 ms and
// 4 MB), once. A policy may be a text of another system's configuration.
func NewEngine() *core.Engine {
	e := core.NewEngine()
	e.Configs = config.Policy
	e.Offer("o200k_base", ranks.O200k)
	e.Offer("cl100k_base", ranks.Cl100k)
	return e
}
