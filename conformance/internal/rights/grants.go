package rights

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
)

const (
	userPrefix  = "system:serviceaccount:"
	groupPrefix = "system:serviceaccounts"
)

// entry is a right of a user, and whether a request has used it.
type entry struct {
	Right
	used bool
}

// grant is a role that a user has.
type grant struct {
	// namespace is where, empty for everywhere.
	namespace string
	entries   []*entry
}

// grants are the rights of users.
type grants struct {
	// users has the grants of each ServiceAccount, by the name of its user.
	users map[string][]grant
	// entries are all rights among them.
	entries []*entry
}

// binding is a RoleBinding, or a ClusterRoleBinding without a namespace.
type binding struct {
	namespace string
	roleRef   rbacv1.RoleRef
	subjects  []rbacv1.Subject
}

// newGrants resolves bindings as kubernetes/kubernetes pkg/registry/rbac/validation/rule.go does.
func newGrants(objects []*unstructured.Unstructured) (*grants, error) {
	g := &grants{users: map[string][]grant{}}
	roles := map[string][]*entry{}
	var bindings []binding
	for _, object := range objects {
		kind, namespace, name := object.GetKind(), object.GetNamespace(), object.GetName()
		if kind == "ServiceAccount" {
			g.users[userPrefix+namespace+":"+name] = nil
		}
		if object.GroupVersionKind().Group != rbacv1.GroupName {
			continue
		}
		switch kind {
		case "Role", "ClusterRole":
			// Both kinds have their rules in one place.
			role, err := convert[rbacv1.ClusterRole](object)
			if err != nil {
				return nil, err
			}
			label := roleLabel(kind, namespace, name)
			roles[label] = expand(label, role.Rules)
		case "RoleBinding", "ClusterRoleBinding":
			source, err := convert[rbacv1.RoleBinding](object)
			if err != nil {
				return nil, err
			}
			bindings = append(bindings, binding{namespace, source.RoleRef, source.Subjects})
		}
	}
	for _, binding := range bindings {
		for _, subject := range binding.subjects {
			if subject.Kind == rbacv1.ServiceAccountKind {
				g.users[binding.userOf(subject)] = nil
			}
		}
	}
	for _, binding := range bindings {
		g.bind(binding, roles[roleLabel(binding.roleRef.Kind, binding.namespace, binding.roleRef.Name)])
	}
	return g, nil
}

// bind gives a role to all ServiceAccounts that a binding is for.
func (g *grants) bind(b binding, role []*entry) {
	bound := false
	for user := range g.users {
		if slices.ContainsFunc(b.subjects, func(subject rbacv1.Subject) bool { return b.isFor(subject, user) }) {
			g.users[user] = append(g.users[user], grant{b.namespace, role})
			bound = true
		}
	}
	for _, entry := range role {
		if bound && !slices.Contains(g.entries, entry) {
			g.entries = append(g.entries, entry)
		}
	}
}

// userOf returns the user of a ServiceAccount that is a subject.
func (b binding) userOf(subject rbacv1.Subject) string {
	return userPrefix + cmp.Or(subject.Namespace, b.namespace) + ":" + subject.Name
}

// isFor reports whether a subject is a ServiceAccount, given by its user, or a group that it belongs to.
func (b binding) isFor(subject rbacv1.Subject, user string) bool {
	switch subject.Kind {
	case rbacv1.ServiceAccountKind:
		return b.userOf(subject) == user
	case rbacv1.UserKind:
		return subject.Name == user
	case rbacv1.GroupKind:
		namespace, _, _ := strings.Cut(strings.TrimPrefix(user, userPrefix), ":")
		return slices.Contains([]string{groupPrefix, groupPrefix + ":" + namespace, "system:authenticated"}, subject.Name)
	default:
		return false
	}
}

// use marks the rights of a user that allow a request.
func (g *grants) use(user string, asked request) {
	for _, grant := range g.users[user] {
		if grant.namespace != "" && grant.namespace != asked.namespace {
			continue
		}
		for _, entry := range grant.entries {
			entry.used = entry.used || entry.allows(asked)
		}
	}
}

// sort returns all rights in a fixed order.
func (g *grants) sort() (used, unused []Right) {
	slices.SortFunc(g.entries, func(a, b *entry) int { return cmp.Compare(a.String(), b.String()) })
	for _, entry := range g.entries {
		if entry.used {
			used = append(used, entry.Right)
		} else {
			unused = append(unused, entry.Right)
		}
	}
	return used, unused
}

// expand returns the single rights of a role, each once.
func expand(role string, rules []rbacv1.PolicyRule) []*entry {
	var entries []*entry
	add := func(right Right) {
		if !slices.ContainsFunc(entries, func(other *entry) bool { return other.Right == right }) {
			entries = append(entries, &entry{Right: right})
		}
	}
	for _, rule := range rules {
		names := rule.ResourceNames
		if len(names) == 0 {
			names = []string{""}
		}
		for _, verb := range rule.Verbs {
			for _, url := range rule.NonResourceURLs {
				add(Right{Role: role, Verb: verb, URL: url})
			}
			for _, group := range rule.APIGroups {
				for _, resource := range rule.Resources {
					for _, name := range names {
						add(Right{Role: role, Group: group, Resource: resource, Verb: verb, Name: name})
					}
				}
			}
		}
	}
	return entries
}

// roleLabel names a role. A binding in a namespace means Roles of that namespace.
func roleLabel(kind, namespace, name string) string {
	if kind == "Role" {
		return fmt.Sprintf("Role %s/%s", namespace, name)
	}
	return kind + " " + name
}

func convert[T any](object *unstructured.Unstructured) (*T, error) {
	typed := new(T)
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, typed); err != nil {
		return nil, fmt.Errorf("read %s %s/%s: %w", object.GetKind(), object.GetNamespace(), object.GetName(), err)
	}
	return typed, nil
}
