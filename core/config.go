package core

import (
	"bytes"
	"encoding/json"
	"maps"

	"github.com/tamp-dev/tamp/core/internal/nearest"
)

// Config is what a text of configuration of another system says. Core stands on
// no parser of such texts; a host gives one to Engine.Configs.
type Config struct {
	Policy json.RawMessage  // an object, as a request may hold it
	Models map[string]Alias // behind the request's own
	Model  string           // the conversation's, where neither request nor transcript names one; "" is unknown
}

// configure reads the policy of a request that came as a text.
func (e *Engine) configure(j *job) error {
	raw := bytes.TrimSpace(j.req.Policy)
	var text string
	if e.Configs == nil || len(raw) == 0 || raw[0] != '"' || json.Unmarshal(raw, &text) != nil {
		return nil // policy.Compile says what is wrong with a string
	}
	var err error
	if j.config, err = e.Configs(text); err != nil {
		return err
	}
	j.req.Policy = j.config.Policy
	models := maps.Clone(j.config.Models)
	if models == nil {
		models = map[string]Alias{}
	}
	maps.Copy(models, j.req.Models)
	j.req.Models = models
	return nil
}

// Nearest is the one of names that a person who wrote name probably meant, "" if
// none is near: for hosts whose errors ask "did you mean".
func Nearest(name string, names []string) string { return nearest.Name(name, names, nil) }
