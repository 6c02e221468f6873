//go:build !js && !wasip1

package core_test

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// No mutable package state: two callers, or two calls, never see each other.
// Every package-level variable of core must therefore be a constant in all but
// name. Two things are asked of it, on type-checked code:
//
//   - what it is: no channel, nothing of sync, no pointer but to an error and to
//     the few types of Go's library that never change once made, and no
//     function that some call returned (a closure can hide a counter);
//   - what is done with it, anywhere in core: it is never assigned, counted up,
//     appended to, sorted, cleared, its address never taken, no pointer method
//     called on it, and no exported function returns it as a slice or map. Local
//     names for it (x := table; for _, x := range table) are followed.
//
// What is not seen: a function that is given a table and writes to its parameter.

// unchanging are the types that may stand behind a pointer: safe for any number
// of users by their own documentation.
var unchanging = []string{"regexp.Regexp", "strings.Replacer"}

// mutators are functions of Go's library that write to their first argument.
var mutators = map[string][]string{
	"slices": {
		"Sort", "SortFunc", "SortStableFunc", "Reverse", "Compact", "CompactFunc", "Delete", "DeleteFunc",
		"Insert", "Replace", "AppendSeq",
	},
	"maps": {"Copy", "DeleteFunc", "Insert"},
	"sort": {"Sort", "Stable", "Slice", "SliceStable", "Strings", "Ints", "Float64s"},
}

func TestNoMutablePackageState(t *testing.T) {
	root := moduleRoot(t)
	touchSources(t, root)
	exports := map[string]string{}
	var ours []listed
	for _, pkg := range goList(t, root, platforms[0], "-export", "-deps", "./core/...") {
		exports[pkg.ImportPath] = pkg.Export
		if isBelow(local(pkg.ImportPath), "core") {
			ours = append(ours, pkg)
		}
	}
	fset := token.NewFileSet()
	imports := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(exports[path])
	})
	seen := 0
	for _, pkg := range ours {
		var files []*ast.File
		for _, name := range pkg.GoFiles {
			file, err := parser.ParseFile(fset, filepath.Join(pkg.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, file)
		}
		found, vars, err := mutableState(fset, pkg.ImportPath, files, imports)
		if err != nil {
			t.Fatalf("%s: %v", pkg.ImportPath, err)
		}
		seen += vars
		for _, sentence := range found {
			t.Error(strings.TrimPrefix(sentence, root+string(filepath.Separator)))
		}
	}
	if seen == 0 {
		t.Fatalf("no package variable in %d packages of core: nothing was checked", len(ours))
	}
	t.Logf("%d package variables in %d packages", seen, len(ours))
}

// mutableState gives a sentence for every breach in one package, and the number
// of variables that the package declares.
func mutableState(fset *token.FileSet, path string, files []*ast.File, imports types.Importer) ([]string, int, error) {
	info := &types.Info{
		Types:      map[ast.Expr]types.TypeAndValue{},
		Defs:       map[*ast.Ident]types.Object{},
		Uses:       map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
	}
	config := types.Config{Importer: imports}
	if _, err := config.Check(path, fset, files, info); err != nil {
		return nil, 0, err
	}
	c := &stateCheck{fset: fset, info: info, alias: map[types.Object]types.Object{}}
	vars := 0
	for _, file := range files {
		for _, decl := range file.Decls {
			switch decl := decl.(type) {
			case *ast.GenDecl:
				vars += c.declaration(decl)
				ast.Inspect(decl, c.use)
			case *ast.FuncDecl:
				ast.Inspect(decl, c.name)
				ast.Inspect(decl, c.use)
				if decl.Name.IsExported() && decl.Body != nil {
					c.results(decl.Body)
				}
			}
		}
	}
	slices.Sort(c.found)
	return slices.Compact(c.found), vars, nil
}

type stateCheck struct {
	fset  *token.FileSet
	info  *types.Info
	alias map[types.Object]types.Object // local name -> package variable that it shares memory with
	found []string
}

func (c *stateCheck) refuse(at ast.Node, v types.Object, what string) {
	c.found = append(c.found, fmt.Sprintf("%s: package variable %s.%s %s",
		c.fset.Position(at.Pos()), v.Pkg().Name(), v.Name(), what))
}

// declaration checks what the variables of a var declaration are, and counts them.
func (c *stateCheck) declaration(decl *ast.GenDecl) int {
	count := 0
	for _, spec := range decl.Specs {
		spec, ok := spec.(*ast.ValueSpec)
		if !ok || decl.Tok != token.VAR {
			continue
		}
		for i, name := range spec.Names {
			v := c.info.Defs[name]
			if v == nil || name.Name == "_" { // var _ Interface = T{}: a check at compile time
				continue
			}
			count++
			if what := changing(v.Type(), nil); what != "" {
				c.refuse(name, v, "holds "+what)
			}
			value := spec.Values
			if len(value) == len(spec.Names) {
				value = value[i : i+1]
			}
			for _, expr := range value {
				c.initialiser(expr, v)
			}
		}
	}
	return count
}

// initialiser checks what a declared type does not tell: the pointer inside an
// interface, the function that a call returned.
func (c *stateCheck) initialiser(expr ast.Expr, v types.Object) {
	ast.Inspect(expr, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false // runs later; its body is looked at as any use
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				if what := changing(c.info.TypeOf(n), nil); what != "" {
					c.refuse(n, v, "is made with "+what)
				}
			}
		case *ast.CallExpr:
			made := c.info.Types[n]
			if !made.IsValue() || c.info.Types[n.Fun].IsType() {
				return true
			}
			if _, isFunc := made.Type.Underlying().(*types.Signature); isFunc {
				c.refuse(n, v, "is made with a function that a call returned")
			} else if what := changing(made.Type, nil); what != "" {
				c.refuse(n, v, "is made with "+what)
			}
		}
		return true
	})
}

// changing names what inside a type can change without an assignment to the
// variable itself; "" if nothing can.
func changing(t types.Type, seen []types.Type) string {
	if slices.Contains(seen, t) {
		return ""
	}
	seen = append(seen, t)
	if named, ok := types.Unalias(t).(*types.Named); ok {
		if pkg := named.Obj().Pkg(); pkg != nil && (pkg.Path() == "sync" || pkg.Path() == "sync/atomic") {
			return "a " + named.String()
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Chan:
		return "a channel"
	case *types.Pointer:
		if slices.Contains(unchanging, u.Elem().String()) || types.Implements(t, errorType()) {
			return ""
		}
		return "a pointer, " + t.String()
	case *types.Slice:
		return changing(u.Elem(), seen)
	case *types.Array:
		return changing(u.Elem(), seen)
	case *types.Map:
		return changing(u.Elem(), seen)
	case *types.Struct:
		for f := range u.Fields() {
			if what := changing(f.Type(), seen); what != "" {
				return what
			}
		}
	}
	return ""
}

func errorType() *types.Interface {
	return types.Universe.Lookup("error").Type().Underlying().(*types.Interface)
}

// name notes local names that share memory with a package variable.
func (c *stateCheck) name(n ast.Node) bool {
	note := func(name, value ast.Expr) {
		ident, ok := name.(*ast.Ident)
		if !ok || c.info.Defs[ident] == nil {
			return
		}
		if v, _ := c.root(value); v != nil && shares(c.info.Defs[ident].Type()) {
			c.alias[c.info.Defs[ident]] = v
		}
	}
	switch n := n.(type) {
	case *ast.AssignStmt:
		if len(n.Lhs) == len(n.Rhs) {
			for i := range n.Lhs {
				note(n.Lhs[i], n.Rhs[i])
			}
		}
	case *ast.ValueSpec:
		if len(n.Names) == len(n.Values) {
			for i := range n.Names {
				note(n.Names[i], n.Values[i])
			}
		}
	case *ast.RangeStmt:
		if n.Value != nil {
			note(n.Value, n.X)
		}
	}
	return true
}

// shares reports whether a copy of a value of this type is the same memory.
func shares(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Slice, *types.Map, *types.Pointer:
		return true
	}
	return false
}

// use refuses what changes a package variable.
func (c *stateCheck) use(n ast.Node) bool {
	write := func(target ast.Expr, what string) {
		if v, through := c.root(target); v != nil && through {
			c.refuse(target, v, what)
		}
	}
	switch n := n.(type) {
	case *ast.AssignStmt:
		for _, target := range n.Lhs {
			write(target, "is assigned")
		}
	case *ast.IncDecStmt:
		write(n.X, "is assigned")
	case *ast.RangeStmt:
		if n.Tok == token.ASSIGN {
			write(n.Key, "is assigned")
			if n.Value != nil {
				write(n.Value, "is assigned")
			}
		}
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			write(n.X, "has its address taken")
		}
	case *ast.CallExpr:
		c.call(n)
	}
	return true
}

// call refuses calls that write to a package variable: of append and its like,
// of a pointer method, of a function of mutators.
func (c *stateCheck) call(n *ast.CallExpr) {
	fun := ast.Unparen(n.Fun)
	if index, ok := fun.(*ast.IndexExpr); ok { // slices.Sort[[]int](...)
		fun = index.X
	}
	first := func(what string) {
		if len(n.Args) > 0 {
			if v, _ := c.root(n.Args[0]); v != nil {
				c.refuse(n, v, what)
			}
		}
	}
	switch fun := fun.(type) {
	case *ast.Ident:
		if b, ok := c.info.Uses[fun].(*types.Builtin); ok && slices.Contains([]string{"append", "copy", "delete", "clear"}, b.Name()) {
			first("is written to by " + b.Name())
		}
	case *ast.SelectorExpr:
		callee, ok := c.info.Uses[fun.Sel].(*types.Func)
		if !ok {
			return
		}
		recv := callee.Signature().Recv()
		if recv == nil {
			if pkg := callee.Pkg(); pkg != nil && slices.Contains(mutators[pkg.Path()], callee.Name()) {
				first("is written to by " + pkg.Name() + "." + callee.Name())
			}
			return
		}
		_, byPointer := recv.Type().Underlying().(*types.Pointer)
		_, isPointer := c.info.TypeOf(fun.X).Underlying().(*types.Pointer)
		if v, _ := c.root(fun.X); v != nil && byPointer && !isPointer {
			c.refuse(n, v, "has its pointer method "+callee.Name()+" called")
		}
	}
}

// results refuses a slice or map of the package that an exported function
// returns as it is: its caller could write to it.
func (c *stateCheck) results(body *ast.BlockStmt) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			for _, result := range n.Results {
				t := c.info.TypeOf(result)
				_, isSlice := t.Underlying().(*types.Slice)
				_, isMap := t.Underlying().(*types.Map)
				if v, _ := c.root(result); v != nil && (isSlice || isMap) {
					c.refuse(result, v, "is returned by an exported function: give a copy (slices.Clone, maps.Clone)")
				}
			}
		}
		return true
	})
}

// root is the package variable whose memory an expression denotes, nil if there
// is none. through is false where the expression is no more than a local name
// for it: assigning to that name changes the name alone.
func (c *stateCheck) root(expr ast.Expr) (v types.Object, through bool) {
	steps := false
	for {
		switch e := expr.(type) {
		case *ast.ParenExpr:
			expr = e.X
		case *ast.IndexExpr:
			expr, steps = e.X, true
		case *ast.SliceExpr:
			expr = e.X
		case *ast.StarExpr:
			expr, steps = e.X, true
		case *ast.SelectorExpr:
			if sel := c.info.Selections[e]; sel != nil {
				if sel.Kind() != types.FieldVal {
					return nil, false
				}
				expr, steps = e.X, true
				continue
			}
			expr = e.Sel // another package's variable
		case *ast.Ident:
			obj := c.info.Uses[e]
			if v, ok := c.alias[obj]; ok {
				return v, steps
			}
			if v, ok := obj.(*types.Var); ok && v.Pkg() != nil && v.Parent() == v.Pkg().Scope() {
				return v, true
			}
			return nil, false
		default:
			return nil, false
		}
	}
}
