// Package encryption asks the API server's own code about configurations of encryption at rest, and about what is written with one of them
// and read with another.
package encryption

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apiserver/pkg/apis/apiserver"
	apiserverv1 "k8s.io/apiserver/pkg/apis/apiserver/v1"
	"k8s.io/apiserver/pkg/apis/apiserver/validation"
	"k8s.io/apiserver/pkg/server/options/encryptionconfig"
	"k8s.io/apiserver/pkg/storage/value"
)

var secrets = schema.GroupResource{Resource: "secrets"}

func read(t *testing.T, file string, into any) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatal(err)
	}
}

// checked returns what the API server finds wrong in a configuration, without talking to a key service.
func checked(text []byte) error {
	scheme := runtime.NewScheme()
	if err := apiserver.AddToScheme(scheme); err != nil {
		return err
	}
	if err := apiserverv1.AddToScheme(scheme); err != nil {
		return err
	}
	object, _, err := serializer.NewCodecFactory(scheme, serializer.EnableStrict).UniversalDecoder().Decode(text, nil, nil)
	if err != nil {
		return err
	}
	configuration, ok := object.(*apiserver.EncryptionConfiguration)
	if !ok {
		return fmt.Errorf("it is a %T", object)
	}
	return validation.ValidateEncryptionConfiguration(configuration, true).ToAggregate()
}

// TestConfigurations compares the verdicts of the table, which are also those of the rule, with those of the API server.
func TestConfigurations(t *testing.T) {
	var rows []struct {
		Words         string         `json:"words"`
		Configuration map[string]any `json:"configuration"`
		Refused       string         `json:"refused"`
	}
	read(t, "configurations.json", &rows)
	for _, row := range rows {
		if _, ok := row.Configuration["apiVersion"]; !ok {
			row.Configuration["apiVersion"] = "apiserver.config.k8s.io/v1"
		}
		row.Configuration["kind"] = "EncryptionConfiguration"
		text, err := json.Marshal(row.Configuration)
		if err != nil {
			t.Fatal(err)
		}
		if err := checked(text); (err != nil) != (row.Refused != "") {
			t.Errorf("%s: the API server says %v, the table %q", row.Words, err, row.Refused)
		}
	}
}

// transformerOf returns how Secrets are written and read with keys in an order; "-" is no encryption.
func transformerOf(t *testing.T, keys string) value.Transformer {
	t.Helper()
	var providers []map[string]any
	for _, name := range strings.Fields(keys) {
		if name == "-" {
			providers = append(providers, map[string]any{"identity": map[string]any{}})
			continue
		}
		secret := base64.StdEncoding.EncodeToString([]byte(strings.Repeat(name, 16)))
		providers = append(providers, map[string]any{"aesgcm": map[string]any{"keys": []any{map[string]any{"name": name, "secret": secret}}}})
	}
	text, err := json.Marshal(map[string]any{
		"apiVersion": "apiserver.config.k8s.io/v1",
		"kind":       "EncryptionConfiguration",
		"resources":  []any{map[string]any{"resources": []string{"secrets"}, "providers": providers}},
	})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "config.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	loaded, err := encryptionconfig.LoadEncryptionConfig(t.Context(), file, true, "")
	if err != nil {
		t.Fatal(err)
	}
	return loaded.Transformers[secrets]
}

// isReadable tells whether what one configuration writes can be read with another.
func isReadable(t *testing.T, writer, reader value.Transformer) bool {
	t.Helper()
	where := value.DefaultContext("/registry/secrets/default/a")
	stored, err := writer.TransformToStorage(context.Background(), []byte("text"), where)
	if err != nil {
		t.Fatal(err)
	}
	plain, _, err := reader.TransformFromStorage(context.Background(), stored, where)
	return err == nil && string(plain) == "text"
}

// TestChanges compares the verdicts of the rules on changes of keys with what can be read: while the change spreads, an API server with the
// old file must read what one with the new file writes; afterwards, all keys that wrote before must still be read.
func TestChanges(t *testing.T) {
	var rows []struct {
		Before  string   `json:"before"`
		After   string   `json:"after"`
		First   bool     `json:"first"`
		Removed []string `json:"removed"`
	}
	read(t, "changes.json", &rows)
	if len(rows) == 0 {
		t.Fatal("there are no changes")
	}
	for _, row := range rows {
		before, after := transformerOf(t, row.Before), transformerOf(t, row.After)
		if readable := isReadable(t, after, before); readable == row.First {
			t.Errorf("%q to %q: what is written with the new keys can be read with the old ones: %v", row.Before, row.After, readable)
		}
		lost := []string{}
		for _, key := range strings.Fields(row.Before) {
			if !isReadable(t, transformerOf(t, key), after) {
				lost = append(lost, key)
			}
		}
		if strings.Join(lost, " ") != strings.Join(row.Removed, " ") {
			t.Errorf("%q to %q: what %q wrote cannot be read, and the rules say %q", row.Before, row.After, lost, row.Removed)
		}
	}
}
