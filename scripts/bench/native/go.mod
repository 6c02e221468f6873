module github.com/tamp-dev/tamp/scripts/bench/native

go 1.26

require (
	github.com/tamp-dev/tamp v0.0.0
	github.com/tiktoken-go/tokenizer v0.10.0
)

require github.com/dlclark/regexp2/v2 v2.5.1 // indirect

replace github.com/tamp-dev/tamp => ../../..
