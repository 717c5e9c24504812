package rights

import (
	"path"
	"slices"
)

// Explain returns the unused rights without an allowance, and the allowances that none of the reports needs.
func Explain(allowances []Allowance, reports ...*Report) (unexplained []Right, unneeded []Allowance) {
	for _, report := range reports {
		for _, right := range report.Unused {
			if !slices.ContainsFunc(allowances, func(allowance Allowance) bool { return allowance.covers(right) }) {
				unexplained = append(unexplained, right)
			}
		}
	}
	for _, allowance := range allowances {
		if !slices.ContainsFunc(reports, allowance.isNeeded) {
			unneeded = append(unneeded, allowance)
		}
	}
	return unexplained, unneeded
}

// Unexpected returns the refusals of a report that are not expected.
func Unexpected(expected []ExpectedRefusal, report *Report) []Refusal {
	return slices.DeleteFunc(slices.Clone(report.Refused), func(refusal Refusal) bool {
		return slices.ContainsFunc(expected, func(e ExpectedRefusal) bool {
			return matches(e.User, refusal.User) && e.Group == refusal.Group && e.Resource == refusal.Resource && e.Verb == refusal.Verb
		})
	})
}

func (a Allowance) isNeeded(report *Report) bool {
	return slices.ContainsFunc(report.Unused, a.covers) || a.Sometimes && slices.ContainsFunc(report.Used, a.covers)
}

func (a Allowance) covers(right Right) bool {
	pattern := a.Right.Role
	a.Right.Role = right.Role
	return a.Right == right && matches(pattern, right.Role)
}

// matches reports whether a pattern matches. A bad pattern matches nothing, so that its allowance is found to be unneeded.
func matches(pattern, text string) bool {
	matched, err := path.Match(pattern, text)
	return err == nil && matched
}
