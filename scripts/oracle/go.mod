module github.com/tamp-dev/tamp/scripts/oracle

go 1.26

require (
	github.com/pkoukk/tiktoken-go-loader v0.0.2
	github.com/tamp-dev/tamp v0.0.0-00010101000000-000000000000
)

replace github.com/tamp-dev/tamp => ../..
