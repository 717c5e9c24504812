import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { test } from 'node:test';
import { DIST, pages } from './site.mjs';

const ids = new Map();

/** The anchors of a page. */
function anchors(page) {
  if (!ids.has(page)) ids.set(page, new Set([...readFileSync(join(DIST, page), 'utf8').matchAll(/\sid="([^"]+)"/g)].map(([, id]) => decodeEntities(id))));
  return ids.get(page);
}

function decodeEntities(text) {
  return text.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#39;', '\'');
}

/** What is wrong with a link of a page; undefined if nothing is. */
function fault(page, href) {
  const [path, anchor] = href.split('#').map(decodeURIComponent);
  const target = path === '' ? page : posix.resolve(posix.dirname(page), path);
  const file = path.endsWith('/') ? posix.join(target, 'index.html') : target;
  if (!existsSync(join(DIST, file))) return `${page}: ${href}: no such file`;
  return anchor && file.endsWith('.html') && !anchors(file).has(anchor) ? `${page}: ${href}: no such anchor` : undefined;
}

test('every link leads to a page and to an anchor in it', () => {
  const found = pages();
  const faults = found.filter((page) => page !== '/404.html').flatMap((page) => {
    const hrefs = [...readFileSync(join(DIST, page), 'utf8').matchAll(/\s(?:href|src)="([^"]+)"/g)].map(([, href]) => decodeEntities(href));
    return [...new Set(hrefs)].filter((href) => !/^(\w+:|\/\/)/.test(href)).flatMap((href) => fault(page, href) ?? []);
  });

  assert.ok(found.length > 500);
  assert.deepEqual(faults, []);
});
