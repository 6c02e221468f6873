package core_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/tamp-dev/tamp/core"
)

var update = flag.Bool("update", false, "write the goldens anew (natively only)")

// The golden corpus is read by the same test natively, under GOOS=js and under
// GOOS=wasip1: the same bytes must come out. A case is an archive: a comment
// that says what it shows, request.json (the request without its transcript),
// in.json or in.jsonl, and under out/ what must come back.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no goldens in testdata: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { golden(t, file) })
	}
}

func golden(t *testing.T, file string) {
	t.Helper()
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	archive := txtar.Parse(src)
	body := requestBody(t, archive)
	got := outputs(body)
	if *update {
		if runtime.GOARCH == "wasm" {
			t.Fatal("goldens are written natively")
		}
		archive.Files = slices.DeleteFunc(archive.Files, func(f txtar.File) bool { return strings.HasPrefix(f.Name, "out/") })
		archive.Files = append(archive.Files, got...)
		if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want := map[string]string{}
	for _, f := range archive.Files {
		if strings.HasPrefix(f.Name, "out/") {
			want[f.Name] = string(f.Data)
		}
	}
	for _, f := range got {
		w, ok := want[f.Name]
		if !ok || w != string(f.Data) {
			t.Errorf("%s:\n%s\nwant\n%s", f.Name, f.Data, w)
		}
		delete(want, f.Name)
	}
	for name := range want {
		t.Errorf("%s is not made", name)
	}
}

// requestBody puts the transcript's bytes into the request, as a client would.
func requestBody(t *testing.T, archive *txtar.Archive) []byte {
	t.Helper()
	var request, in, text []byte
	for _, f := range archive.Files {
		switch f.Name {
		case "request.json":
			request = bytes.TrimSpace(f.Data)
		case "in.json":
			in = bytes.TrimSpace(f.Data)
		case "in.jsonl":
			text = f.Data
		}
	}
	if text != nil {
		quoted, err := json.Marshal(string(text))
		if err != nil {
			t.Fatal(err)
		}
		in = quoted
	}
	if len(request) < 2 || in == nil {
		t.Fatal("a case needs request.json and in.json or in.jsonl")
	}
	comma := ","
	if string(request) == "{}" {
		comma = ""
	}
	return []byte(`{"transcript":` + string(in) + comma + string(request[1:]))
}

func outputs(body []byte) []txtar.File {
	var out []txtar.File
	add := func(name, text string) { out = append(out, txtar.File{Name: "out/" + name, Data: []byte(text)}) }
	raw, err := core.Call("compact", body)
	if err != nil {
		add("error.txt", err.Error()+"\n")
		return out
	}
	req, err := core.DecodeRequest(body)
	if err != nil {
		add("error.txt", err.Error()+"\n")
		return out
	}
	var res struct {
		core.CompactResult
		Transcript json.RawMessage `json:"transcript"`
	}
	if err := json.Unmarshal(raw, &res); err != nil {
		add("error.txt", "the result is no JSON: "+err.Error()+"\n")
		return out
	}
	add("plan.txt", planTable(&res.CompactResult))
	if res.Compacted {
		if req.Text {
			var text string
			if err := json.Unmarshal(res.Transcript, &text); err == nil {
				add("after.jsonl", text)
			}
		} else {
			add("after.json", string(res.Transcript)+"\n")
		}
	}
	if plan, err := core.Plan(req); err == nil && plan.Plan.Request != nil {
		add("request.txt", requestTable(plan.Plan.Request))
	}
	return out
}

// planTable is a result as a person reads it in a diff.
func planTable(res *core.CompactResult) string {
	var b strings.Builder
	fmt.Fprintf(&b, "format   %s %s\n", res.Format.Name, res.Format.Shape)
	for _, m := range res.Decision.Rules {
		fmt.Fprintf(&b, "trigger  %s %s of %s%s\n", m.Measure, value(m.Measured), value(m.Threshold), mark(m.Fired, " fired")+mark(m.Held, " held"))
	}
	reason := "-"
	if res.Decision.Reason != nil {
		reason = *res.Decision.Reason
	}
	fmt.Fprintf(&b, "decision %s %s %s round %d%s\n", res.Decision.Trigger, reason, res.Decision.Phase, res.Decision.Round, mark(res.Decision.Forced, " forced"))
	fmt.Fprintf(&b, "result   %s%s\n", map[bool]string{true: "compacted", false: res.Reason}[res.Compacted], mark(res.Receipt.NoProgress, " no_progress"))
	fmt.Fprintf(&b, "%3s %3s  %-10s %6s %6s  %-10s %s\n", "#", "to", "role", "before", "after", "fate", "reason")
	for _, it := range res.Receipt.Items {
		to := "-"
		if it.To != nil {
			to = strconv.Itoa(*it.To)
		}
		fmt.Fprintf(&b, "%3d %3s  %-10s %6d %6d  %-10s %s\n", it.Index, to, it.Role, it.TokensBefore, it.TokensAfter, it.Fate, it.Reason)
	}
	for _, in := range res.Receipt.Inserted {
		fmt.Fprintf(&b, "  + %3d  %-10s %6s %6d  %s%s\n", in.To, in.Role, "", in.Tokens, in.Kind, mark(in.Wanted != "", ", wanted as "+in.Wanted))
	}
	fmt.Fprintf(&b, "    sum  %-10s %6d %6d  overhead %d included, by %s\n", "", res.Receipt.TokensBefore, res.Receipt.TokensAfter, res.Receipt.OverheadBefore, res.Counter.Name)
	for _, d := range res.Receipt.Defects {
		fmt.Fprintf(&b, "defect   %s %s: %s\n", d.Code, d.Path, d.Message)
	}
	fmt.Fprintf(&b, "state    %s\n", res.State)
	return b.String()
}

func value(f *float64) string {
	if f == nil {
		return "unknown"
	}
	return fmt.Sprintf("%.6g", *f)
}

func mark(on bool, text string) string {
	if on {
		return text
	}
	return ""
}

// requestTable is a summary request: its members, and its messages with the
// first 60 bytes of each.
func requestTable(r *core.ModelRequest) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s, attempt %d\n", r.Purpose, r.Format, r.Attempt)
	d := json.NewDecoder(bytes.NewReader(r.Body))
	if _, err := d.Token(); err != nil {
		return err.Error() + "\n"
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err.Error() + "\n"
		}
		var v json.RawMessage
		if err := d.Decode(&v); err != nil {
			return err.Error() + "\n"
		}
		var list []json.RawMessage
		if v[0] != '[' || json.Unmarshal(v, &list) != nil {
			fmt.Fprintf(&b, "%s %s\n", key, head(v))
			continue
		}
		fmt.Fprintf(&b, "%s\n", key)
		for _, e := range list {
			fmt.Fprintf(&b, "  %s\n", head(e))
		}
	}
	return b.String()
}

func head(raw []byte) string {
	r := []rune(string(raw))
	if len(r) > 76 {
		return string(r[:76]) + "…"
	}
	return string(r)
}
