package agree

import (
	"slices"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	// The text has two keys of the same name, and no line end after it.
	sets, err := parse(strings.NewReader(`{"id": "1", "operation": "create", "text": "{\"a\":1,\"a\":2}"}

{"set": "two", "objects": [{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}}]}
{"id": "2", "operation": "update", "before": "{}", "text": "{ }"}
{"id": "3", "operation": "create", "text": "no JSON"}`))
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, set := range sets {
		for _, c := range set.Cases {
			texts = append(texts, set.Name+" "+c.ID+" "+c.Text)
		}
	}
	if want := []string{`empty 1 {"a":1,"a":2}`, "two 2 { }", "two 3 no JSON"}; !slices.Equal(texts, want) {
		t.Errorf("got %q, want %q", texts, want)
	}
	if object := sets[1].Objects[0].Object; len(sets[1].Objects) != 1 || object.GetKind() != "ConfigMap" {
		t.Errorf("got the objects %v", sets[1].Objects)
	}
	if Count(sets) != 3 {
		t.Errorf("counted %d cases", Count(sets))
	}
}

func TestParseMistakes(t *testing.T) {
	tests := []struct{ name, line, want string }{
		{"no JSON", `{"id"`, "line 1"},
		{"an unknown key", `{"id": "1", "operation": "create", "text": "{}", "txt": ""}`, "txt"},
		{"an unknown operation", `{"id": "1", "operation": "delete", "text": "{}"}`, "delete"},
		{"an update of nothing", `{"id": "1", "operation": "update", "text": "{}"}`, "before"},
		{"a create of something", `{"id": "1", "operation": "create", "before": "{}", "text": "{}"}`, "before"},
		{"an id twice", "{\"id\": \"1\", \"operation\": \"create\", \"text\": \"{}\"}\n{\"id\": \"1\", \"operation\": \"create\", \"text\": \"{}\"}", "line 2"},
		{"an object without a kind", `{"set": "a", "objects": [{}]}`, "object 1"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if _, err := parse(strings.NewReader(test.line)); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got error %v, want one with %q", err, test.want)
			}
		})
	}
}

func TestQueues(t *testing.T) {
	text := func(kind, name string) string {
		return `{"apiVersion": "v1", "kind": "` + kind + `", "metadata": {"name": "` + name + `"}}`
	}
	set := &Set{Cases: []*Case{
		{ID: "1", Operation: Update, Text: text("ConfigMap", "a")},
		{ID: "2", Operation: Create, Text: text("ConfigMap", "a")},
		{ID: "3", Operation: Update, Text: text("ConfigMap", "b")},
		{ID: "4", Operation: Update, Text: text("ConfigMap", "a")},
		{ID: "5", Operation: Update, Text: text("ResourceQuota", "a")},
		{ID: "6", Operation: Update, Text: "no JSON"},
	}}
	questions := newQuestions(set)
	ids := func(wanted func(*question) bool) []string {
		var result []string
		for _, queue := range queues(questions, wanted) {
			var ids []string
			for _, q := range queue {
				ids = append(ids, q.verdict.ID)
			}
			result = append(result, strings.Join(ids, " "))
		}
		return result
	}
	if got, want := ids(isCreate), []string{"2"}; !slices.Equal(got, want) {
		t.Errorf("creates: got %q, want %q", got, want)
	}
	if got, want := ids(isUpdate), []string{"1 4", "3", "6"}; !slices.Equal(got, want) {
		t.Errorf("updates: got %q, want %q", got, want)
	}
	if got, want := ids(isLonelyUpdate), []string{"5"}; !slices.Equal(got, want) {
		t.Errorf("lonely updates: got %q, want %q", got, want)
	}
}
