import * as fc from 'fast-check';
import * as YAML from 'yaml';
import { checkBlockText, checkJinja, checkPlainText } from '../../../../../src/constructs/control-planes/kubeadm/bootstrap/cloud-config-text';
import { amount } from '../../../../support/sample';

const read = (yaml: string): any => YAML.parse(yaml, { version: '1.1', uniqueKeys: false });
const text = fc.string({ unit: fc.constantFrom(...' \t\n:#-?{}[]&*!|>\'"%@`,.0123e_+~=<xyna/'), minLength: 1, maxLength: 8 });

describe('plain text', () => {
  test('reads back as it was written', () => {
    fc.assert(fc.property(text, (written) => {
      // "e1" is a float for the yaml package, which it is not in YAML 1.1.
      fc.pre(checkPlainText(written) === undefined && !/^[-+]?e[-+]?\d*$/.test(written));
      expect(read(`list:\n  - ${written}\nkey: ${written}\n`)).toEqual({ list: [written], key: written });
    }), { numRuns: amount(3000, 500) });
  });

  test.each(['ALL=(ALL) NOPASSWD:ALL', 'LABEL=data', '/dev/vdb1', '-E', 'adm, docker', 'ntp.example.com', '192.0.2.1', 'defaults,nofail'])('takes %s', (usual) => {
    expect(checkPlainText(usual)).toBeUndefined();
    expect(read(`key: ${usual}`)).toEqual({ key: usual });
  });

  test.each([
    ['a\nb', 'line break'], [' a', 'white space'], ['a: b', '": "'], ['a #b', '" #"'], ['a:', '":"'], ['*a', 'starts with "*"'],
    ['no', 'truth value'], ['NULL', 'truth value'], ['4096', 'number'], ['1.5', 'number'], ['12:30', 'number'], ['0x1f', 'number'], ['2026-01-02', 'date'],
    ['a{{ b }}', 'Jinja'],
  ])('refuses %j', (odd, telling) => {
    expect(checkPlainText(odd)).toContain(telling);
  });
});

describe('Jinja', () => {
  test.each(['plain $HOME ${x%:*} }} %} {', '{{ ds.meta_data.a }}', '{% if x %}a{% endif %}', '{% raw %}${#a[@]} {{{% endraw %} b', '{%- raw -%}{#{%- endraw -%}'])('passes %s', (usual) => {
    expect(checkJinja(usual)).toBeUndefined();
  });

  test.each([
    ['${#list[@]}', '"{#"'], ['{# comment #}', '"{#"'], ['{{ a', '"{{" without'], ['{{ a }} {% if', '"{%" without'], ['{% raw %} {{ a }}', '"{%" without'],
  ])('refuses %s', (odd, telling) => {
    expect(checkJinja(odd)).toContain(telling);
  });
});

describe('a block of text', () => {
  // As Cluster API writes it: a literal block, indented by six spaces.
  const written = (content: string) => `files:\n-   content: |\n${content.split('\n').map((line) => `      ${line}`).join('\n')}\nnext: 1\n`;

  test('reads back as it was written, with one line break at the end', () => {
    fc.assert(fc.property(text, (content) => {
      fc.pre(checkBlockText(content) === undefined);
      expect(read(written(content)).files[0].content).toBe(`${content.replace(/\n+$/, '')}\n`);
    }), { numRuns: amount(3000, 500) });
  });

  test.each([
    ['  a\nb', 'starts with a space'], ['   \na', 'starts with a space'], ['a\u0007', 'control characters'], ['a\r\nb', 'carriage returns'], [' \n ', 'only white space'],
  ])('refuses %j', (content, telling) => {
    expect(checkBlockText(content)).toContain(telling);
  });

  test.each(['a\n  b\n', '\n\na', '\ta\n\tb', 'ü 😀'])('takes %j', (content) => {
    expect(checkBlockText(content)).toBeUndefined();
  });
});
