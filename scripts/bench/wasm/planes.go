//go:build js && wasm && !bare

package main

import "github.com/tamp-dev/tamp/core/tokens/ranks"

func planes() string { return ranks.O200k() }
