// Command worker serves tamp's HTTP API natively, and with -web the playground
// beside it. PORT (default 8787, 0 picks a free one) and HOST (default
// 127.0.0.1) say where. When it is ready it prints one line to standard
// output, `listening on http://127.0.0.1:8787`; its log goes to standard error.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/tamp-dev/tamp/worker/proxy"
)

// Nobody may hold a connection for longer than an honest caller needs. Writing
// counts from the end of the request's head, so it covers the upload, the
// compaction (64 MiB take seconds) and the download.
const (
	headTimeout  = 10 * time.Second
	readTimeout  = 2 * time.Minute
	writeTimeout = 5 * time.Minute
	idleTimeout  = 2 * time.Minute
	stopTimeout  = 10 * time.Second // for requests in flight when it is told to stop
	maxHead      = 64 << 10
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// A second signal ends the process at once.
	context.AfterFunc(ctx, stop)
	err := run(ctx, os.Args[1:], os.Getenv, os.Stdout, os.Stderr)
	stop()
	switch {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "worker:", err)
		os.Exit(1)
	}
}

// run serves until ctx is done, then lets the requests in flight finish.
func run(ctx context.Context, args []string, getenv func(string) string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("worker", flag.ContinueOnError)
	flags.SetOutput(stderr)
	web := flags.String("web", "", "serve the playground in this `folder` at /")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	host := strings.Trim(getenv("HOST"), "[]")
	if host == "" {
		host = "127.0.0.1"
	}
	port, err := parsePort(getenv("PORT"))
	if err != nil {
		return err
	}
	log := slog.NewTextHandler(stderr, nil)
	opt := proxy.Options{Hosts: []string{host}, Log: slog.New(log)}
	if *web != "" {
		root, err := openWeb(*web)
		if err != nil {
			return err
		}
		defer func() { _ = root.Close() }() // was only read from
		opt.Web = root.FS()
	}

	listener, err := net.Listen("tcp", net.JoinHostPort(host, port))
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("port %s of %s is in use; set PORT to another, 0 picks a free one", port, host)
	}
	if err != nil {
		return err
	}
	server := &http.Server{
		Handler:           proxy.New(opt),
		ReadHeaderTimeout: headTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHead,
		ErrorLog:          slog.NewLogLogger(log, slog.LevelWarn),
	}
	_, bound, err := net.SplitHostPort(listener.Addr().String())
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	if _, err := fmt.Fprintf(stdout, "listening on http://%s\n", net.JoinHostPort(host, bound)); err != nil {
		return errors.Join(err, listener.Close())
	}
	return serve(ctx, server, listener)
}

func serve(ctx context.Context, server *http.Server, listener net.Listener) error {
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.Background(), stopTimeout)
	defer cancel()
	if err := server.Shutdown(grace); err != nil {
		return errors.Join(fmt.Errorf("requests were still running %v after the stop: %w", stopTimeout, err), server.Close())
	}
	if err := <-failed; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

func parsePort(s string) (string, error) {
	if s == "" {
		return "8787", nil
	}
	if n, err := strconv.Atoi(s); err != nil || n < 0 || n > 65535 {
		return "", fmt.Errorf("PORT %q is not a number from 0 to 65535", s)
	}
	return s, nil
}

// openWeb opens the playground's folder. Nothing outside of it can be reached
// through the result, not by a symbolic link either.
func openWeb(dir string) (*os.Root, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("-web: %w", err)
	}
	if _, err := fs.Stat(root.FS(), "index.html"); err != nil {
		return nil, errors.Join(fmt.Errorf("-web %s: %w", dir, err), root.Close())
	}
	return root, nil
}
