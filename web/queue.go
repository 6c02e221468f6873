//go:build js && wasm

package main

import (
	"strings"
	"sync"

	"github.com/tamp-dev/tamp/web/internal/state"
)

// queue holds what has happened until the page's goroutine takes it. The
// browser calls in the middle of its events, where nothing may wait: push
// never does.
type queue struct {
	wake chan struct{} // holds at most one: there is something to do

	mu   sync.Mutex
	list []state.Action
	dead bool
}

func newQueue() *queue { return &queue{wake: make(chan struct{}, 1)} }

func (q *queue) push(a state.Action) {
	q.mu.Lock()
	q.list = append(q.list, a)
	q.mu.Unlock()
	q.ring()
}

// take empties the queue.
func (q *queue) take() []state.Action {
	q.mu.Lock()
	defer q.mu.Unlock()
	list := q.list
	q.list = nil
	return list
}

// stop ends the loop.
func (q *queue) stop() {
	q.mu.Lock()
	q.dead = true
	q.mu.Unlock()
	q.ring()
}

func (q *queue) stopped() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.dead
}

func (q *queue) ring() {
	select {
	case q.wake <- struct{}{}:
	default: // it rings already
	}
}

// mediaType is that of a result's file by its name.
func mediaType(name string) string {
	if strings.HasSuffix(name, ".jsonl") {
		return "application/jsonl"
	}
	return "application/json"
}
