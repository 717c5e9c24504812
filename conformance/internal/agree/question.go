package agree

import (
	"context"
	"errors"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// question is a case while it is asked.
type question struct {
	operation        Operation
	text, beforeText string
	// object is what the text is about, nil if it cannot be told.
	object *unstructured.Unstructured
	// before is what the text before is about.
	before *unstructured.Unstructured
	// staysBehind says that the object could not be removed yet: something in the set uses it.
	staysBehind bool
	verdict     *Verdict
}

// newQuestions returns the cases of a set as questions. Texts that no client could send are answered already.
func newQuestions(set *Set) []*question {
	questions := make([]*question, 0, len(set.Cases))
	for _, c := range set.Cases {
		q := &question{operation: c.Operation, text: c.Text, beforeText: c.Before, verdict: &Verdict{ID: c.ID}}
		var err error
		if q.object, err = identify(c.Text); err != nil {
			q.verdict.unreadable(err)
		}
		questions = append(questions, q)
	}
	return questions
}

func verdictsOf(questions []*question) []*Verdict {
	verdicts := make([]*Verdict, 0, len(questions))
	for _, q := range questions {
		verdicts = append(verdicts, q.verdict)
	}
	return verdicts
}

// isAnswered reports whether there is nothing to ask any more.
func (q *question) isAnswered() bool { return q.verdict.Code != 0 || q.verdict.Error != "" }

// answer writes the server's answer into the verdict.
func (q *question) answer(warnings []string, err error, rules Rules) {
	q.verdict.Warnings = warnings
	if err == nil {
		q.verdict.Accepted = true
		return
	}
	q.verdict.refuse(err, q.object.GroupVersionKind().GroupKind(), rules)
}

// prepare creates the namespace of the object. If the server refuses the namespace, that is the answer.
func (q *question) prepare(ctx context.Context, namespaces *namespaces, rules Rules) {
	if q.isAnswered() {
		return
	}
	if err := namespaces.create(ctx, q.object); err != nil {
		q.verdict.refuse(err, namespaceKind, rules)
	}
}

// readBefore reads the text before and returns an error if it cannot be stored without harm to other cases.
func (q *question) readBefore(set *Set) error {
	before, err := identify(q.beforeText)
	if err != nil {
		return err
	}
	if err := sameIdentity(before, q.object); err != nil {
		return err
	}
	for _, document := range set.Objects {
		if identityOf(document.Object) == identityOf(before) {
			return errors.New("the object is one of the set, which is there for other cases")
		}
	}
	q.before = before
	return nil
}

func isCreate(q *question) bool { return q.operation == Create }

func isUpdate(q *question) bool { return q.operation == Update && !isLonelyUpdate(q) }

// isLonelyUpdate reports whether no other question may be asked at the same time.
func isLonelyUpdate(q *question) bool {
	return q.operation == Update && q.object != nil && actsOnOthers(q.object.GroupVersionKind().GroupKind())
}

// queues sorts questions into queues: questions that store the same object come one after the other.
func queues(questions []*question, wanted func(*question) bool) [][]*question {
	var result [][]*question
	positions := map[identity]int{}
	for _, q := range questions {
		if !wanted(q) {
			continue
		}
		if q.operation == Create || q.object == nil {
			result = append(result, []*question{q})
			continue
		}
		key := identityOf(q.object)
		if i, known := positions[key]; known {
			result[i] = append(result[i], q)
			continue
		}
		positions[key] = len(result)
		result = append(result, []*question{q})
	}
	return result
}
