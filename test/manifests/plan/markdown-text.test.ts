import { Plan } from '../../../src/constructs/testing/plan';
import { markdownText } from '../../../src/manifests/plan/plan-markdown';

const DIGEST = `registry.example.com/team/app:1.2.3@sha256:${'0a1b'.repeat(16)}`;

/** The text that GitHub shows for Markdown that is plain text. */
function shown(markdown: string): string {
  return markdown.replace(/<\/?span>/g, '').replace(/\\([\\`*_|[\]~])/g, '$1').replaceAll('&#8203;', '\u200b').replaceAll('&lt;', '<').replaceAll('&amp;', '&');
}

test.each([
  DIGEST, 'cpu 4 -> 8', 'acme-general-1a2b3c4d', '10.0.0.0/16', 'a:b', 'host:5000/app:1.2', '12345678', 'v1.35.4', 'files["/etc/a b"]', 'a|b', '&lt; & <b>', '`*_~[]\\',
  '# heading', 'main@sha1:0a1b2c3d4e5f', '${VAR}', 'www', 'GH', 'issue #', 'a @ b', '1a2b3c4d/b',
])('%s is shown as it is', (text) => {
  const markdown = markdownText(text);
  expect(shown(markdown).replaceAll('\u200b', '')).toBe(text);
  expect(markdown).not.toMatch(/(?<![\\])[`*_|[\]~]/);
});

test.each([[DIGEST], ['acme-general-1a2b3c4d'], ['cpu 4 -> 8'], ['a @ b']])('%s needs no break', (text) => {
  expect(markdownText(text)).toBe(text);
});

// Patterns that GitHub turns into links in rendered text.
const LINKS = [/(?<!\w)@\w/, /[\w.+-]@[\w-]+\.\w/, /\w:\/\//, /(?<!\w)www\./i, /#\d/, /(?<!\w)gh-\d/i, /(?<![\w./\u200b-])(?=\d*[a-f])(?=[a-f]*\d)[0-9a-f]{7,40}(?![\w./-])/, /:[\w+-]+:/];

test.each([
  '@acme', '(@acme/team)', 'a @acme b', 'ops@example.com', 'http://evil.example.com', 'HTTPS://evil.example.com', 'ftp://a', 'www.evil.example.com', 'WWW.evil.example.com', '#12', 'acme/app#12',
  'GH-12', 'gh-12', '1a2b3c4', 'main 0a1b2c3d4e5f60718293a4b5c6d7e8f901234567', 'acme@0a1b2c3', ':rocket:', 'a:+1:b', 'mailto:ops@example.com', '"https://a.example.com/b?c=d"',
])('%s becomes no link', (text) => {
  const rendered = shown(markdownText(text));
  expect(rendered.replaceAll('\u200b', '')).toBe(text);
  for (const link of LINKS) expect(rendered).not.toMatch(link);
});

test('a formula, a line break and markup of HTML are text', () => {
  expect(markdownText('$a$')).toBe('<span>$</span>a<span>$</span>');
  expect(markdownText('a\r\nb\rc\u2028d')).toBe('a b c d');
  expect(markdownText('<img src=x>')).toBe('&lt;img src=x>');
});

test('a plan shows digests of images as they are', () => {
  const pod = (image: string) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', namespace: 'b' }, spec: { containers: [{ name: 'a', image }] } });
  expect(Plan.between([pod('a')], [pod('registry.example.com/a@sha256:0a1b')]).toMarkdown()).toContain('image a -> registry.example.com/a@sha256:0a1b |');
});
