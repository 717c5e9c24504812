import { Rule } from '../../../../manifests/values/problem';

// PyYAML's implicit types (YAML 1.1, lib/yaml/resolver.py), taken a little wider: what reads as one of them is no text for cloud-init.
const NOT_TEXT = new RegExp([
  '~|null|y|n|yes|no|true|false|on|off|=|<<',
  '[-+]?(?:\\d[\\d_]*(?:e[-+]?\\d+)?|0x[\\da-f_]+|0b[01_]+)',
  '[-+]?[\\d_]*\\.[\\d_]*(?:e[-+]?\\d+)?',
  '[-+]?\\d[\\d_]*(?::[0-5]?\\d)+(?:\\.[\\d_]*)?',
  '[-+]?\\.(?:inf|nan)',
  '\\d{4}-\\d\\d?-\\d\\d?(?:[t\\s].*)?',
].map((pattern) => `^(?:${pattern})$`).join('|'), 'i');

const INDICATOR = /^[-?:](?:\s|$)|^[,[\]{}#&*!|>'"%@`]/;
const NOT_PRINTABLE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]|\p{Surrogate}/u;
const JINJA_TAG = /\{[{%#]/;
const CLOSING: Readonly<Record<string, string>> = { '{{': '}}', '{%': '%}' };
const RAW = /^\{%[-+]?\s*raw\s*[-+]?%\}/;
const END_OF_RAW = /\{%[-+]?\s*endraw\s*[-+]?%\}/;

export const PLAIN_TEXT_RULE: Rule = {
  id: 'TC-KUBEADM-PLAIN-TEXT',
  title: 'Text that Cluster API writes into the cloud-config without quotes reads back as the same text.',
  source: 'kubernetes-sigs/cluster-api bootstrap/kubeadm/pkg/cloudinit',
};

/**
 * Checks text that Cluster API writes into the cloud-config as it is, without quotes. The schema has bounds for its length.
 *
 * Sources: kubernetes-sigs/cluster-api bootstrap/kubeadm/pkg/cloudinit/{files,users,ntp,disk_setup,fs_setup,mounts}.go,
 * PyYAML lib/yaml/resolver.py.
 *
 * @param text the text
 * @returns the problem, or undefined
 */
export function checkPlainText(text: string): string | undefined {
  if (NOT_PRINTABLE.test(text)) return `${JSON.stringify(text)} has a line break or another control character`;
  if (text !== text.trim()) return `"${text}" starts or ends with white space, which gets lost`;
  if (NOT_TEXT.test(text)) return `"${text}" reads as a number, a date or a truth value`;
  if (INDICATOR.test(text)) return `"${text}" starts with "${text[0]}", which has a meaning in YAML`;
  const cut = /: |:$| #/.exec(text);
  if (cut) return `"${text}" has "${cut[0]}", which has a meaning in YAML`;
  return JINJA_TAG.test(text) ? `"${text}" has a Jinja tag` : undefined;
}

/**
 * Checks a string for accidental Jinja tags. Expressions such as `{{ ds.meta_data.instance_id }}` and blocks pass; comments (`{#`, as in
 * `${#list[@]}`) and tags without an end do not, for one of them makes cloud-init drop the whole cloud-config.
 *
 * Sources: kubernetes-sigs/cluster-api bootstrap/kubeadm/pkg/cloudinit/cloudinit.go (`## template: jinja`),
 * jinja.palletsprojects.com/templates (escaping).
 *
 * @returns the problem, or undefined
 */
export function checkJinja(text: string): string | undefined {
  let rest = text;
  for (let start = rest.search(JINJA_TAG); start !== -1; start = rest.search(JINJA_TAG)) {
    rest = rest.slice(start);
    const tag = rest.slice(0, 2);
    if (tag === '{#') return 'the text has "{#", which starts a comment in Jinja';
    const end = RAW.test(rest) ? END_OF_RAW.exec(rest) : new RegExp(CLOSING[tag]).exec(rest);
    if (!end) return `the text has "${tag}" without the end of this Jinja tag`;
    rest = rest.slice(end.index + end[0].length);
  }
  return undefined;
}

/**
 * Checks content that Cluster API writes as a block of YAML, indented by six spaces.
 *
 * Source: kubernetes-sigs/cluster-api bootstrap/kubeadm/pkg/cloudinit/files.go.
 *
 * @returns the problem, or undefined
 */
export function checkBlockText(text: string): string | undefined {
  if (NOT_PRINTABLE.test(text.replace(/[\t\n]/g, ''))) {
    return text.includes('\r') ? 'the content has carriage returns, which YAML turns into line breaks' : 'the content has control characters, which YAML refuses';
  }
  const lines = text.split('\n');
  const first = lines.find((line) => line.trim() !== '');
  if (first === undefined) return 'the content is only white space, which gets lost';
  return first.startsWith(' ') || lines.slice(0, lines.indexOf(first)).some((line) => line !== '')
    ? 'the content starts with a space, which YAML takes for a deeper indentation' : undefined;
}
