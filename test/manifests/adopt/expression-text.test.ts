import { expressionText, importedNames } from '../../../src/manifests/adopt/expression-text';
import { call, instance, PageExpression, PageTemplate, PageValue } from '../../../src/manifests/rules/page-expression';

/** The value of an expression as a program has it. */
function valueOf(expression: PageExpression): unknown {
  return new Function('cluster', `return ${expressionText(expression)};`)({ name: 'acme' }) as unknown;
}

test.each([
  '', 'plain', '__proto__', "it's", '"quoted"', '\\', '\\"', "\\'", '${HOME} `id`', 'tab\tand\r\nline', '\u2028\u2029\u202e\u0000', '*/ process.exit() /*',
  `#!/bin/sh\nset -e\necho 'a' "b" \${c} \\\n${'x'.repeat(200)}\n`,
])('the text %j is the same as a program', (text) => {
  expect(valueOf(text)).toBe(text);
  expect(Object.entries(valueOf({ [text]: [text] }) as object)).toEqual([[text, [text]]]);
  expect(valueOf(new PageTemplate([text, new PageValue('cluster.name')]))).toBe(`${text}acme`);
});

test('long options go over several lines, and unset ones are left out', () => {
  const expression = instance('KubevirtMachine', {
    cpu: 4, memory: call('Size.gibibytes', 16), firmware: undefined, rootDisk: call('RootDisk.containerDisk', { image: `registry.example.com/${'n'.repeat(80)}:v1` }),
  });

  expect(expressionText(expression)).toBe([
    'new KubevirtMachine({', '  cpu: 4,', '  memory: Size.gibibytes(16),',
    '  rootDisk: RootDisk.containerDisk({', `    image: 'registry.example.com/${'n'.repeat(80)}:v1',`, '  }),', '})',
  ].join('\n'));
  expect(importedNames(expression)).toEqual(['KubevirtMachine', 'Size', 'RootDisk']);
});
