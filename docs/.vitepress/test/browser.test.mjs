import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { pages, serve } from './site.mjs';

/** Words of a user, and the page that helps. Guides and symptoms are added by their titles. */
const QUESTIONS = [
  ['TC-ADMIT-KUBERNETES-DATA-SIZE', '/rules/TC-ADMIT-KUBERNETES-DATA-SIZE.html'],
  ['sleep', '/hibernation.html'],
  ['restore etcd', '/restore-data-store.html'],
  ['velero', '/addons/velero.html'],
  ['plan --exit-code', '/command-line.html'],
  ['KamajiControlPlane', '/reference/kamaji/KamajiControlPlane.html'],
];

/** Guides and the like all; of rules, addons and classes, which are generated, a few. */
const LOOKED_AT = pages().filter((page) => !/^\/(rules|reference|addons|404)/.test(page))
  .concat('/rules/', '/rules/TC-ADMIT-KUBERNETES-DATA-SIZE.html', '/addons/', '/addons/cilium.html', '/reference/', '/reference/kamaji/KamajiControlPlane.html');

let site;
let browser;

before(async () => {
  site = await serve();
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
});

after(async () => {
  await browser?.close();
  site?.close();
});

/** Opens a tab whose errors, and whose requests to other hosts, are collected. */
async function tab(width) {
  const page = await browser.newPage({ viewport: { width, height: 900 } });
  const faults = [];
  page.on('console', (message) => message.type() === 'error' && faults.push(`${page.url()}: ${message.text()}`));
  page.on('pageerror', (error) => faults.push(`${page.url()}: ${error.message}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(site.address) && !request.url().startsWith('data:')) faults.push(`${page.url()} asks ${request.url()}`);
  });
  page.on('response', (response) => response.status() < 400 || faults.push(`${response.url()}: status ${response.status()}`));
  return { page, faults };
}

for (const [name, width] of [['a desktop', 1280], ['a phone', 390]]) {
  test(`pages have no error and no horizontal scrolling on ${name}`, async () => {
    const { page, faults } = await tab(width);
    const wide = [];
    for (const path of LOOKED_AT) {
      await page.goto(site.address + path, { waitUntil: 'networkidle' });
      const excess = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      if (excess > 0) wide.push(`${path}: ${excess} px`);
    }
    await page.close();

    assert.deepEqual({ faults, wide }, { faults: [], wide: [] });
  });
}

test('the search finds rules, tasks, addons and classes', async () => {
  const { page, faults } = await tab(1280);
  await page.goto(site.address, { waitUntil: 'networkidle' });
  const questions = [...QUESTIONS];
  for (const path of pages().filter((one) => /^\/(guides|troubleshooting)\//.test(one))) {
    await page.goto(site.address + path);
    questions.push([(await page.locator('h1').first().innerText()).replaceAll(/\u200b/g, '').trim(), path]);
  }
  const missed = [];
  for (const [words, path] of questions) {
    await page.keyboard.press('Control+k');
    await page.locator('.search-input').fill(words);
    const found = page.locator('.results a.result');
    // The search waits for a pause in typing, and loads its index the first time.
    await page.waitForTimeout(600);
    await found.first().waitFor({ timeout: 10_000 }).catch(() => undefined);
    const hrefs = await found.evaluateAll((links) => links.slice(0, 5).map((link) => new URL(link.href).pathname));
    if (!hrefs.includes(path)) missed.push(`${words}: ${path} is not among ${hrefs.join(', ')}`);
    await page.keyboard.press('Escape');
  }
  await page.close();

  assert.deepEqual({ faults, missed }, { faults: [], missed: [] });
});
