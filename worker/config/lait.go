package config

import (
	"encoding/json"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/tamp-dev/tamp/core"
)

// The names of lait that are read.
const (
	nameDefault    = "default"
	nameModels     = "models"
	nameCompaction = "compaction"
	nameModel      = "model"
	nameModelID    = "model_id"
)

func laitKeys() []string { return []string{"trigger_rounds", "trigger_tokens", "keep_last_n", "model"} }

// isLait reports whether a document has what a lait.config.yml has, or something
// that is nearly called so.
func (d *document) isLait() bool {
	for _, m := range d.members(d.top) {
		if core.Nearest(m.key.Value, []string{nameDefault}) != "" || m.key.Value == nameModels {
			return true
		}
	}
	return false
}

// readLait reads default.compaction, and what the model in it is called upstream.
func (d *document) readLait() (core.Config, error) {
	none := core.Config{}
	if err := d.strangers(d.top, root, nameDefault, nameModels); err != nil {
		return none, err
	}
	def, ok := d.get(d.top, nameDefault)
	if !ok {
		return none, bad(root, 0, "holds no default.compaction, which is where lait says when to compact")
	}
	at := below(root, nameDefault)
	if v := valueOf(def, at); v.kind != isMap {
		return none, v.wrong("a table of names with " + nameCompaction + " in it")
	}
	if err := d.strangers(def.value, at, nameCompaction, nameModel); err != nil {
		return none, err
	}
	config := core.Config{Models: map[string]core.Alias{}}
	if err := d.aliases(&config); err != nil {
		return none, err
	}
	if m, ok := d.get(def.value, nameModel); ok {
		v := valueOf(m, below(at, nameModel))
		if v.kind != isNull {
			var err error
			if config.Model, err = v.words(aModel); err != nil {
				return none, err
			}
			if err := d.known(config.Model, &config); err != nil {
				return none, err
			}
		}
	}
	block, ok := d.get(def.value, nameCompaction)
	if !ok {
		return none, bad(at, def.key.Line, "holds no compaction, so that lait would never compact: add it, or write compaction: null to have it off")
	}
	err := d.compaction(block, below(at, nameCompaction), &config)
	return config, err
}

// aModel is what a model is named by.
const aModel = "the alias or the id of a model, not blank"

// strangers refuses what was probably meant to be one of ours.
func (d *document) strangers(n *yaml.Node, path string, ours ...string) error {
	for _, m := range d.members(n) {
		if near := meant(m.key.Value, ours); near != "" {
			return miss(path, m.key.Value, m.key.Line, near)
		}
	}
	return nil
}

// compaction reads the block. As with lait every name in it must be a known one.
func (d *document) compaction(block member, at string, to *core.Config) error {
	v := valueOf(block, at)
	switch v.kind {
	case isNull: // off
		to.Policy = json.RawMessage(`{"preset":"lait","triggers":[]}`)
		return nil
	case isMap:
	default:
		return v.wrong("a table of names, or null for off")
	}
	values := map[string]value{}
	for _, m := range d.members(block.value) {
		name := m.key.Value
		if near := meant(name, laitKeys()); near != "" {
			return miss(at, name, m.key.Line, near)
		}
		if !slices.Contains(laitKeys(), name) {
			return bad(below(at, name), m.key.Line, "unknown field, the fields are %s", series(laitKeys()))
		}
		values[name] = valueOf(m, below(at, name))
	}
	var policy object
	triggers := 0
	for _, name := range laitKeys() {
		v, ok := values[name]
		if !ok || v.kind == isNull && name != "keep_last_n" {
			continue
		}
		var err error
		var read any
		switch name {
		case "trigger_rounds", "trigger_tokens":
			read, err = v.integer(1)
			triggers++
		case "keep_last_n":
			read, err = v.integer(0)
		case "model":
			var model string
			if model, err = v.words(aModel); err == nil {
				err = d.known(model, to)
			}
			read = model
		}
		if err != nil {
			return err
		}
		if err := policy.add(name, read); err != nil {
			return err
		}
	}
	if triggers == 0 {
		return bad(at, block.key.Line, "needs trigger_rounds or trigger_tokens, or both")
	}
	to.Policy = policy.in("lait")
	return nil
}

// aliases takes all of models that can be read. One that can not be is an error
// where it is used, as with lait.
func (d *document) aliases(to *core.Config) error {
	models, ok := d.get(d.top, nameModels)
	if !ok {
		return nil
	}
	at := below(root, nameModels)
	if v := valueOf(models, at); v.kind != isMap && v.kind != isNull {
		return v.wrong("a table of aliases")
	}
	for _, m := range d.members(models.value) {
		if id, err := d.modelID(m, below(at, m.key.Value)); err == nil {
			to.Models[m.key.Value] = core.Alias{Model: id}
		}
	}
	return nil
}

// known refuses an alias that is there and can not be read. A name that is no
// alias is the id of a model.
func (d *document) known(name string, to *core.Config) error {
	if _, ok := to.Models[name]; ok {
		return nil
	}
	models, _ := d.get(d.top, nameModels)
	m, ok := d.get(models.value, name)
	if !ok {
		return nil
	}
	_, err := d.modelID(m, below(below(root, nameModels), name))
	return err
}

// modelID is the id of an alias's first definition; the others are for when its
// provider does not answer.
func (d *document) modelID(m member, at string) (string, error) {
	v := valueOf(m, at)
	if v.kind != isList || len(m.value.Content) == 0 {
		if v.kind == isList {
			return "", bad(at, v.line, "is empty, must be a list of definitions with a model_id")
		}
		return "", v.wrong("a list of definitions with a model_id")
	}
	first := member{m.key, follow(m.value.Content[0])}
	at += "[0]"
	if v := valueOf(first, at); v.kind != isMap {
		return "", v.wrong("a table of names with a model_id")
	}
	id, ok := d.get(first.value, nameModelID)
	if !ok {
		if err := d.strangers(first.value, at, nameModelID); err != nil {
			return "", err
		}
		return "", bad(below(at, nameModelID), m.key.Line, "is missing")
	}
	return valueOf(id, below(at, nameModelID)).words("the id of a model, not blank")
}
