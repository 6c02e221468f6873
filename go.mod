module github.com/tamp-dev/tamp

go 1.26

require (
	github.com/pelletier/go-toml/v2 v2.2.4
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.2
	go.yaml.in/yaml/v3 v3.0.4
	golang.org/x/tools v0.38.0
	honnef.co/go/js/dom/v2 v2.0.0-20250304181735-b5e52f05e89d
)

require golang.org/x/text v0.14.0 // indirect
