//go:build js && wasm && !bare

package main

import "github.com/tamp-dev/tamp/core/tokens/ranks"

func planes() []byte { return ranks.O200k() }
