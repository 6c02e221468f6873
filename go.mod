module github.com/tamp-dev/tamp

go 1.26
