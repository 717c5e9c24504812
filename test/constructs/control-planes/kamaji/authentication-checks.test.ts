import { celFault, CelRoot } from '../../../../src/constructs/control-planes/kamaji/authentication-checks';

test.each<[string, CelRoot, string]>([
  ['(claims.sub', 'claims', 'has a ( that nothing closes'],
  ['claims.groups[0', 'claims', 'has a [ that nothing closes'],
  ['claims.sub)', 'claims', 'has a ) that closes nothing'],
  ['dyn(claims.groups].exists(g, g)', 'claims', 'has a ] that closes nothing'],
  ['"a" + \'b', 'claims', 'has a \' without its other half'],
  ['claims.sub == "a', 'claims', 'has a " without its other half'],
  ['\'it\'s\'', 'claims', 'has a \' without its other half'],
  ['user.username', 'claims', 'is about user, and only claims is there'],
  ['claims.sub == user.uid', 'claims', 'is about user, and only claims is there'],
  ['!claims.groups.exists(g, g == "a")', 'user', 'is about claims, and only user is there'],
])('%s over %s', (expression, root, fault) => {
  expect(celFault(expression, root)).toBe(fault);
});

test.each<[string, CelRoot]>([
  ['\'oidc:\' + claims.sub', 'claims'],
  ['claims.?email_verified.orValue(true) == true', 'claims'],
  ['claims.user.name == "x" && claims.?user.hasValue() && claims . user == 1', 'claims'],
  ['dyn(claims.groups).exists(user, user == "a")', 'claims'],
  ['claims.groups.transformList(index, user, user + "a").size() > 0', 'claims'],
  ['claims.sub != "user (" && claims.sub != \'it\\\'s [\' && claims["user"] == 1', 'claims'],
  ['claims.sub.matches(r"^\\(user") // user (', 'claims'],
  ['claims.sub == """a "quoted" user ( text"""', 'claims'],
  ['superuser(claims.user_name, username)', 'claims'],
  ['!user.username.startsWith(\'system:\') && user.extra["claims"] == ["a"]', 'user'],
])('%s over %s is left to the API server', (expression, root) => {
  expect(celFault(expression, root)).toBeUndefined();
});
