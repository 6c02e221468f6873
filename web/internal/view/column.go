//go:build js && wasm

package view

import "github.com/tamp-dev/tamp/web/internal/browser"

const (
	// batch is how many rows a step draws: about 5 ms in Chromium on a slow
	// machine, so that a key typed meanwhile is answered at once.
	batch = 24
	// swaps is up to how many rows are redrawn in place. An edit of the summary
	// changes one; another policy changes all, from the top.
	swaps = 24
)

// column draws a list of rows, a batch at a time, and redraws only those that
// differ.
type column struct {
	list elem
	want []row
	have []row  // what els show
	els  []elem // a prefix of the rows that are wanted
}

func newColumn(list elem) *column { return &column{list: list} }

// set says which rows the column shall hold.
func (c *column) set(want []row) {
	c.want = want
	var differ []int
	for i := range min(len(c.have), len(want)) {
		if !c.have[i].same(want[i]) {
			differ = append(differ, i)
		}
	}
	keep := min(len(c.have), len(want))
	if len(differ) > swaps {
		keep = differ[0]
	}
	for _, e := range c.els[keep:] {
		e.Remove()
	}
	c.have, c.els = c.have[:keep], c.els[:keep]
	for _, i := range differ {
		if i >= keep {
			break
		}
		e := draw(want[i])
		c.list.ReplaceChild(e, c.els[i])
		c.els[i], c.have[i] = e, want[i]
	}
	if keep == 0 {
		browser.Empty(c.list)
	}
}

// step draws the next batch and says whether there is more.
func (c *column) step() bool {
	for range batch {
		if len(c.have) == len(c.want) {
			return false
		}
		r := c.want[len(c.have)]
		e := draw(r)
		c.list.AppendChild(e)
		c.have, c.els = append(c.have, r), append(c.els, e)
	}
	return len(c.have) < len(c.want)
}

// reach draws up to row n and gives its element, nil if there is no such row.
func (c *column) reach(n int) elem {
	if n < 0 || n >= len(c.want) {
		return nil
	}
	for len(c.els) <= n {
		c.step()
	}
	return c.els[n]
}
