import { readToml, TOML_JOINT } from '../../../src/manifests/values/toml';

test.each([
  ['version = 2 # a comment\n\n[plugins."a.b".c]\n  d = "e\\"f"\n  g = [\n    1, # one ]\n    "]",\n  ]\n', ['version', 'plugins.a.b.c.d', 'plugins.a.b.c.g']],
  ['a = """\nb = c\n"""\nd.e = { f = \'g\', h = [1] }\n', ['a', 'd.e']],
  ['[[a]]\nb = 1\n[a.c]\nd = 1\n[[a]]\nb = 2\n[a.c]\nd = 2\n', ['a.b', 'a.c.d']],
  ['a = 1979-05-27 07:32:00Z\r\nb = -1.5e3\r\nc = inf', ['a', 'b', 'c']],
  ['a = ["""\nb "c\n""", \'\'\'d\'e\'\'\']\nf = """g "h""""\n', ['a', 'f']],
  ['[[a]]\nb = 1\n[[a.c]]\nd = 1\n[[a.c]]\nd = 2\n[[a]]\nb = 2\n[[a.c]]\nd = 3\n', ['a.b', 'a.c.d']],
  ['', []],
])('a text that can be read: %j', (text, keys) => {
  const { fault, values } = readToml(text);
  expect([fault, [...values.keys()].map((key) => key.replaceAll(TOML_JOINT, '.'))]).toEqual([undefined, keys]);
});

test.each([
  ['a = "b\nc = 1\n', 1, 'has a value that does not end, or is none'],
  ['a = "b" c"\n', 1, 'goes on behind its end'],
  ['a\n', 1, 'is a key without a value'],
  ['a = 1\n[b\nc = 1\n', 2, 'is a table whose brackets do not end'],
  ['[a]\nb = 1\n\n[a]\nc = 1\n', 4, 'is the table "a" once more'],
  ['[a]\nb = 1\nb = 2\n', 3, 'has the key "b" once more'],
  ['[a]\n[[b]]\nc = 1\n[a]\n', 4, 'is the table "a" once more'],
  ['[[b]]\nc = 1\n[b.d]\n[b.d]\n', 4, 'is the table "b.d" once more'],
  ['a = [1, 2\nb = 3\n', 1, 'has a value that does not end, or is none'],
  ['a:\n  b: 1\n', 1, 'is a key without a value'],
  ['= 1\n', 1, 'is neither a key nor a table'],
])('a text that cannot: %j', (text, line, message) => expect(readToml(text).fault).toEqual({ line, message }));
