// Command trials holds core/tokens against tiktoken (see ../run.sh):
//
//	trials write DIR [CORPUS]    writes the texts for tiktoken.mjs
//	trials compare DIR           compares its tokens with ours
//	trials freeze DIR FILE       writes the hashes for `go test ./core/tokens`
package main

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/tamp-dev/tamp/core/tokens"
	"github.com/tamp-dev/tamp/core/tokens/ranks"
	"github.com/tamp-dev/tamp/scripts/ranks/trial"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "trials:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) >= 2 && args[0] == "write":
		return write(args[1], args[2:])
	case len(args) == 2 && args[0] == "compare":
		return compare(args[1])
	case len(args) == 3 && args[0] == "freeze":
		return freeze(args[1], args[2])
	}
	return errors.New("usage: trials write DIR [CORPUS] | compare DIR | freeze DIR FILE")
}

var encodings = map[string]func() string{"o200k_base": ranks.O200k, "cl100k_base": ranks.Cl100k}

// write writes each set as one file of texts, a length of four bytes before each.
// They are mended: JavaScript would mend them by another rule.
func write(dir string, corpus []string) error {
	for _, set := range trial.Sets() {
		texts := [][]string{}
		for g := range set.Groups {
			texts = append(texts, set.Make(g))
		}
		if err := writeSet(dir, set.Name, texts); err != nil {
			return err
		}
	}
	if len(corpus) == 0 {
		return nil
	}
	files, err := read(corpus[0])
	if err != nil {
		return err
	}
	if err := writeSet(dir, "files", [][]string{files}); err != nil {
		return err
	}
	return writeSet(dir, "slices", [][]string{trial.Slices(files, 100_000)})
}

func read(dir string) (texts []string, err error) {
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		texts = append(texts, string(b))
		return err
	})
	if err == nil && len(texts) == 0 {
		err = fmt.Errorf("%s holds no file", dir)
	}
	return texts, err
}

func writeSet(dir, name string, groups [][]string) error {
	f, err := os.Create(filepath.Join(dir, name+".texts"))
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	for _, texts := range groups {
		for _, text := range texts {
			text = trial.Mend(text)
			w.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(text)))) // its error is Flush's
			w.WriteString(text)
		}
	}
	return errors.Join(w.Flush(), f.Close())
}

// readSet reads what writeSet wrote.
func readSet(path string) (texts []string, err error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	for len(b) >= 4 {
		n := binary.LittleEndian.Uint32(b)
		texts = append(texts, string(b[4:4+n]))
		b = b[4+n:]
	}
	return texts, nil
}

// hashes reads the hashes that tiktoken.mjs wrote, one of eight bytes for each text.
func hashes(dir, set, encoding string) (sums []uint64, err error) {
	b, err := os.ReadFile(filepath.Join(dir, set+"."+encoding+".hashes"))
	for ; len(b) >= 8; b = b[8:] {
		sums = append(sums, binary.BigEndian.Uint64(b))
	}
	return sums, err
}

func compare(dir string) error {
	sets, err := filepath.Glob(filepath.Join(dir, "*.texts"))
	if err != nil || len(sets) == 0 {
		return errors.Join(err, fmt.Errorf("%s holds no texts: write them first", dir))
	}
	wrong := 0
	for name, planes := range encodings {
		e, err := tokens.NewEncoding(name, planes())
		if err != nil {
			return err
		}
		for _, path := range sets {
			set := filepath.Base(path[:len(path)-len(".texts")])
			texts, err := readSet(path)
			if err != nil {
				return err
			}
			want, err := hashes(dir, set, name)
			if err != nil {
				return err
			}
			if len(want) != len(texts) {
				return fmt.Errorf("%s %s: %d hashes for %d texts", set, name, len(want), len(texts))
			}
			begin, differ := time.Now(), 0
			for i, text := range texts {
				ids := e.Encode(text)
				if n := e.Count(text); n != len(ids) || trial.Of(ids).Sum() != want[i] {
					if differ++; differ <= 3 {
						fmt.Printf("  %s %s %d: %.200q: %d tokens, counted %d, %.600v\n", set, name, i, text, len(ids), n, ids)
					}
				}
			}
			fmt.Printf("%-8s %-12s %8d texts, %d differ (%.1f s)\n", set, name, len(texts), differ, time.Since(begin).Seconds())
			wrong += differ
		}
	}
	if wrong > 0 {
		return fmt.Errorf("%d texts differ from tiktoken", wrong)
	}
	return nil
}

// frozen is the file of hashes: for each encoding and set, one for each group.
type frozen map[string]map[string][]string

func freeze(dir, file string) error {
	out := frozen{}
	for name := range encodings {
		out[name] = map[string][]string{}
		for _, set := range trial.Sets() {
			sums, err := hashes(dir, set.Name, name)
			if err != nil {
				return err
			}
			for g := range set.Groups {
				h := trial.NewHash()
				for range set.Make(g) {
					h = h.Add(uint32(sums[0] >> 32)).Add(uint32(sums[0]))
					sums = sums[1:]
				}
				out[name][set.Name] = append(out[name][set.Name], fmt.Sprintf("%016x", h.Sum()))
			}
		}
	}
	b, err := json.MarshalIndent(out, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(b, '\n'), 0o644)
}
