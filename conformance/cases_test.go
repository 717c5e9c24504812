package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"conformance/internal/agree"
	"conformance/internal/cluster"
	"conformance/internal/definitions"
)

// TestCases asks a server about cases of all sorts and makes sure that nothing of one set is there for the next.
func TestCases(t *testing.T) {
	const (
		one     = `{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"a","namespace":"new"},"spec":{"size":1}}`
		two     = `{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"a","namespace":"new"},"spec":{"size":2}}`
		twice   = `{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"a","namespace":"new"},"spec":{"size":0,"size":1}}`
		badHome = `{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"a","namespace":"New"},"spec":{"size":1}}`
		nowhere = `{"apiVersion":"example.com/v1","kind":"Other","metadata":{"name":"a"}}`
		missing = `{"apiVersion":"missing.example.com/v1","kind":"Other","metadata":{"name":"a"}}`
		account = `{"apiVersion":"v1","kind":"ServiceAccount","metadata":{"name":"a","namespace":"new","finalizers":["example.com/kept"]}}`
		home    = `{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"new"}}`
		setHome = `{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"of-the-set"}}`
		label   = `{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"new","labels":{"a":"not valid!"}}}`
	)
	create := func(id, text string) string { return fmt.Sprintf(`{"id":%q,"operation":"create","text":%q}`, id, text) }
	update := func(id, before, text string) string {
		return fmt.Sprintf(`{"id":%q,"operation":"update","before":%q,"text":%q}`, id, before, text)
	}
	lines := []string{
		create("good", one),
		create("duplicate key", twice),
		create("bad namespace", badHome),
		create("unknown kind", nowhere),
		create("missing group", missing),
		update("larger", one, two),
		update("smaller", two, one),
		update("finalizers", account, account),
		update("label of a namespace", home, label),
		update("another object", one, account),
		`{"set":"one","objects":[` + one + "," + setHome + `]}`,
		create("over an object of the set", strings.Replace(one, `"size":1`, `"size":0`, 1)),
		update("of an object of the set", one, two),
		`{"set":"refused","objects":[` + strings.Replace(one, `"a"`, `"A"`, 1) + `]}`,
		create("with objects that are refused", one),
	}
	_, client := startServer(t)
	files := t.TempDir()
	s := &suite{
		options: &options{cases: filepath.Join(files, "cases"), verdicts: filepath.Join(files, "verdicts")},
		log:     newLog(io.Discard), stdout: io.Discard, client: client,
		definitions: &definitions.Set{
			Definitions: []*unstructured.Unstructured{parseObject(t, thingDefinition)},
			Missing:     []string{"missing.example.com"},
		},
	}
	if err := os.WriteFile(s.cases, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	var err error
	if s.sets, err = agree.Read(s.cases); err != nil {
		t.Fatal(err)
	}
	if err := s.checkCases(t.Context()); err != nil {
		t.Fatal(err)
	}
	checkVerdicts(t, s.verdicts,
		"good: accepted",
		"duplicate key: decoding",
		"bad namespace: schema",
		"unknown kind: other",
		"missing group: left out: not served here",
		"larger: accepted",
		"smaller: cel",
		"finalizers: accepted",
		"label of a namespace: schema",
		"another object: the object before is Thing new/a, the one to apply over it is ServiceAccount new/a",
		"over an object of the set: cel",
		"of an object of the set: the object is one of the set, which is there for other cases",
		`with objects that are refused: set refused: Thing new/A is refused: Thing.example.com "A" is invalid: `+
			`metadata.name: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, `+
			`'-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is `+
			`'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
	)
	for _, text := range []string{one, account, home, setHome} {
		object := parseObject(t, text)
		if stored, err := client.Exists(t.Context(), object); err != nil || stored {
			t.Errorf("%s is still stored: %v, error: %v", cluster.Describe(object), stored, err)
		}
	}
}
